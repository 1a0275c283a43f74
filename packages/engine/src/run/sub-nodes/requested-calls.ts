import type { JsonObject } from '@weft/node-catalogue';
import { LIMITS, limitSentence } from '@weft/service-kit/limits';
import type { Continuation, ToolCallInfo, ToolRequest } from '../../node/attachments';
import type { NodeInputs } from '../../node/node-context';
import { NodeFailure } from '../../node/node-failure';
import type { PreparedNode } from '../../prepare/prepare-workflow';
import type { ReadyEntry } from '../../records/engine-state';
import type { PendingCall, PendingRequest, SubRunPlace } from '../../records/pending-calls';
import type { NodeRunRecord } from '../../records/run-record';
import type { RunFrame } from '../run-frame';

/** Requests that a node may make in one run. Each of them is a step of an agent for one or more items. */
const MAX_STEPS = 2_000;

/** Milliseconds for which a node may work on one item with calls of tools, without waits. */
const MAX_AGENT_MS = 15 * 60_000;

/** The request of a node, as the queue holds it. */
export interface Requested {
  readonly entry: ReadyEntry;
  /** Entries of the calls, in their order. */
  readonly calls: readonly ReadyEntry[];
}

/**
 * Makes the entries for a request and its calls.
 * @param entry the node's own
 * @param since when the node was first run
 * @param items number of its items
 * @throws NodeFailure for a request that exceeds a limit, or names a node that is not attached
 */
export function requestOf(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  { calls, state }: { readonly calls: readonly ToolRequest[]; readonly state: JsonObject },
  since: number,
  items: number,
): Requested {
  const bytes = Buffer.byteLength(JSON.stringify(state));
  if (bytes > LIMITS.agentState.max)
    throw frame.models.failure('AGENT_STATE_BYTES', limitSentence(LIMITS.agentState, bytes));
  const steps = (entry.request?.steps ?? 0) + 1;
  if (steps > MAX_STEPS)
    throw frame.models.failure('AGENT_STEPS', `The node has taken more than ${MAX_STEPS} steps (AGENT_STEPS)`);
  const tools = new Set(node.attachments?.get('ai_tool')?.map((tool) => tool.node));
  const stranger = calls.find((call) => !tools.has(call.node));
  if (stranger !== undefined) throw new NodeFailure(`"${stranger.node}" is not a tool of "${node.name}"`);
  const waitedMs = entry.request?.waitedMs ?? 0;
  if (calls.length > 0) checkTime(frame, frame.deps.ports.clock.now() - since - waitedMs, items);
  frame.models.countToolCalls(calls.length);
  const runIndex = frame.store.runsOf(node.name);
  const usage = frame.subRuns.usageWith(entry.request?.usage);
  const request: PendingRequest = {
    state,
    calls: calls.map(({ id, node: tool, tool: name, input, itemIndex }) => ({
      id,
      node: tool,
      tool: name,
      input,
      itemIndex,
    })),
    steps,
    subRuns: subRunsOf(frame, entry),
    ...(usage === undefined ? {} : { usage }),
    ...(waitedMs === 0 ? {} : { waitedMs }),
  };
  const { waited: _waited, request: _request, ...rest } = entry;
  const entries = calls.map((call) => callEntry(entry, call, { node: node.name, runIndex }));
  return { entry: { ...rest, since, request }, calls: withApprovalsLast(frame, entries) };
}

/** The order in which calls are made: none waits for a person who decides about another one. */
function withApprovalsLast({ request: { workflow } }: RunFrame, entries: readonly ReadyEntry[]): ReadyEntry[] {
  const asks = ({ node }: ReadyEntry): boolean => workflow.nodes.get(node)?.options.approval === true;
  return [...entries.filter((entry) => !asks(entry)), ...entries.filter(asks)];
}

/** @throws NodeFailure if the node has worked for too long */
function checkTime({ models }: RunFrame, ms: number, items: number): void {
  const max = MAX_AGENT_MS * Math.max(1, items);
  if (ms <= max) return;
  throw models.failure(
    'AGENT_TIME',
    `The node has worked for ${Math.round(ms / 1_000)} s, longer than the ${max / 1_000} s that it may call tools ` +
      '(15 minutes for each item, without waits; AGENT_TIME)',
  );
}

function callEntry(
  root: ReadyEntry,
  { id, node, tool, input, itemIndex }: ToolRequest,
  place: SubRunPlace,
): ReadyEntry {
  const outer = root.call;
  const call: PendingCall = {
    id,
    tool,
    input,
    root: place,
    place: outer?.place ?? place.node,
    itemIndex: outer?.itemIndex ?? itemIndex,
    fields: { ...outer?.fields, ...input },
  };
  return { node, sources: root.sources, ...(root.start === true ? { start: true } : {}), call };
}

/** All runs of sub-nodes that belong to the current run of a node, those of tools included. */
export function subRunsOf(frame: RunFrame, { request }: ReadyEntry): SubRunPlace[] {
  const made = (request?.calls ?? []).flatMap(({ node, run }) => (run === undefined ? [] : [{ node, runIndex: run }]));
  return [...(request?.subRuns ?? []), ...made, ...frame.subRuns.places((node) => frame.store.runsOf(node))];
}

/** Outcomes of the calls that a node requested; undefined if it requested none. */
export function continuationOf(
  { store, request: { workflow } }: RunFrame,
  { request }: ReadyEntry,
): Continuation | undefined {
  if (request === undefined) return undefined;
  return {
    state: request.state,
    outcomes: request.calls.map(({ run = -1, ...call }) => {
      const record = run < 0 ? undefined : store.run(call.node, run);
      const items = record?.data?.ai_tool?.[0] ?? [];
      const error =
        record === undefined ? { name: 'NodeOperationError', message: 'The tool has not run.' } : record.error;
      if (error === undefined) return { ...call, run, items };
      const endsRoot = workflow.nodes.get(call.node)?.definition.onError === 'stopWorkflow';
      return { ...call, run, items, error, ...(endsRoot ? { endsRoot } : {}) };
    }),
  };
}

/** The call that a tool node is to make; undefined for a node that items have reached. */
export function toolCallOf({ call }: ReadyEntry): ToolCallInfo | undefined {
  return call === undefined ? undefined : { tool: call.tool, input: call.input };
}

/**
 * Name of the memory of a call, which ends with the call; undefined for a node that items have reached. No node can
 * have this name.
 */
export function memoryKeyOf({ node, call }: ReadyEntry): string | undefined {
  return call === undefined ? undefined : `${node}\u0000${call.root.node}\u0000${call.id}`;
}

/** Inputs of a tool node: the item of the root, on the input that it came from, with the arguments of the call. */
export function inputsOfCall(root: NodeInputs, { itemIndex, fields }: PendingCall): NodeInputs {
  const filled = Math.max(
    0,
    root.items.findIndex((items) => items.length > 0),
  );
  const item = root.items[filled]?.[itemIndex] ?? { json: {} };
  const { pairedItem: _pairedItem, ...rest } = item;
  const merged = { ...rest, json: { ...item.json, ...fields } };
  return {
    sources: root.sources,
    items: Array.from({ length: filled + 1 }, (_, input) => (input === filled ? [merged] : [])),
  };
}

/** Fields of the record of a call that differ from those of other nodes. */
export function recordOfCall({ root, input }: PendingCall): Pick<NodeRunRecord, 'source' | 'inputOverride'> {
  const { node: previousNode, runIndex } = root;
  return {
    source: [{ previousNode, ...(runIndex === 0 ? {} : { previousNodeRun: runIndex }) }],
    inputOverride: { ai_tool: [[{ json: input }]] },
  };
}
