import type { ReadyEntry } from '../records/engine-state';
import { splitErrors, withErrorJson } from './error-output';
import type { Item, Outputs } from '../items/items';
import type { NodeInputs, NodeRunContext, NodeRunOptions } from '../node/node-context';
import type { WaitRequest, NodeExecutor, NodeResult } from '../node/node';
import { errorRecordOf, NodeFailure } from '../node/node-failure';
import { fillItemLinks, pairedWithAll } from '../items/item-linking';
import { storePinnedFiles } from '../items/pinned-files';
import { executorFor, type PreparedNode } from '../prepare/prepare-workflow';
import { abortable } from './run-aborted';
import { refusalOf } from './sub-nodes/approvals';
import { contextOf } from './sub-nodes/attach';
import {
  continuationOf,
  inputsOfCall,
  memoryKeyOf,
  recordOfCall,
  type Requested,
  requestOf,
  toolCallOf,
} from './sub-nodes/requested-calls';
import type { RunFrame } from './run-frame';
import { metadataOf, type WrittenRecord, type WrittenSubRun, writeFailure, writeSubRuns } from './write-records';
import { boundedError, writeRecord } from '../records/record-json';
import { knownTokenHash, RUN_MEMORY } from './run-memory';
import type { ExecutionError, NodeRunRecord } from '../records/run-record';

/** Outcome of one step of a node: its run, unless it requests calls of tools. `failed` ends the execution. */
export type NodeRun = { readonly subRuns: readonly WrittenSubRun[] } & (
  | ({ readonly kind: 'done'; readonly outputs: Outputs } & WrittenRecord)
  | ({ readonly kind: 'failed'; readonly error: ExecutionError } & WrittenRecord)
  /** There is no record: the branch ends here. */
  | { readonly kind: 'nothing' }
  | ({ readonly kind: 'request' } & Requested)
  | {
      readonly kind: 'wait';
      readonly wait: WaitRequest;
      /** When the node was first run. */ readonly startTime: number;
    }
);

/** A result whose answer, if it had one, is given. */
type AnsweredResult = Exclude<NodeResult, { kind: 'respond' }>;

/** A demand of a node in place of a result. */
type Demand = Extract<AnsweredResult, { kind: 'wait' | 'request' | 'nothing' }>;

const NO_SUB_RUNS: readonly WrittenSubRun[] = [];

/** Items of a run before it is recorded. */
interface Produced {
  readonly outputs: Outputs;
  readonly error?: ExecutionError;
  readonly pinned?: true;
}

/**
 * Runs one node: with its pins or its executor, as often as its options allow, and with what they say about failures.
 * @param beginRecording called when the node has run; gives the `executionIndex` of the next record
 * @throws RunAborted if the signal of the run fires.
 */
export async function runNode(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  beginRecording: () => Promise<number> | number,
): Promise<NodeRun> {
  frame.thread.node(node.name);
  frame.thread.mark();
  const { clock } = frame.deps.ports;
  const startTime = entry.since ?? clock.now();
  const inputs = inputsOf(frame, entry);
  const { call } = entry;
  let executionIndex: number | undefined;
  frame.console.length = 0;
  frame.metadata = undefined;
  frame.secrets.clear();
  frame.subRuns.clear();
  let subRuns: readonly WrittenSubRun[] = NO_SUB_RUNS;
  const record = (rest: Pick<NodeRunRecord, 'executionStatus' | 'data' | 'error' | 'pinned'>): NodeRunRecord => {
    const metadata = metadataOf(frame, entry);
    return {
      startTime,
      executionTime: clock.now() - startTime,
      executionIndex: (executionIndex ?? 0) + subRuns.length,
      source: entry.sources,
      hints: [],
      ...(frame.console.length === 0 ? {} : { console: frame.console.map((line) => frame.secrets.text(line)) }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(call === undefined ? {} : recordOfCall(call)),
      ...rest,
    };
  };
  try {
    const produced = await produce(frame, node, entry, inputs);
    const first = beginRecording();
    executionIndex = typeof first === 'number' ? first : await first;
    if (!frame.subRuns.isEmpty) subRuns = await writeSubRuns(frame, executionIndex);
    if ('kind' in produced) {
      if (produced.kind === 'wait') return { kind: 'wait', wait: produced.wait, startTime, subRuns };
      if (produced.kind === 'request')
        return {
          kind: 'request',
          ...requestFrom(frame, node, entry, produced, startTime, itemCountOf(inputs)),
          subRuns,
        };
      if (call === undefined) return { kind: 'nothing', subRuns };
    }
    const given: Produced = 'kind' in produced ? { outputs: [] } : produced;
    return await withinLimits(frame, node, entry, inputs, given, async ({ outputs, error, pinned }) => {
      const made = record({
        executionStatus: error === undefined ? 'success' : 'error',
        data: call === undefined ? { main: outputs } : { ai_tool: [outputs.flat()] },
        ...(error === undefined ? {} : { error }),
        ...(pinned === undefined ? {} : { pinned }),
      });
      const json = await writeRecord(made, frame.store.bytes, () => frame.pause());
      return { kind: 'done', outputs, record: made, json, subRuns };
    });
  } catch (thrown) {
    if (!(thrown instanceof FinalFailure)) throw thrown;
    const { error } = thrown;
    executionIndex ??= await beginRecording();
    if (subRuns.length === 0) subRuns = await writeSubRuns(frame, executionIndex);
    const failed = await writeFailure(record({ executionStatus: 'error', error }));
    // The node that requested the call learns of its failure, and the run continues there.
    return call === undefined
      ? { kind: 'failed', error, ...failed, subRuns }
      : { kind: 'done', outputs: [], ...failed, subRuns };
  }
}

const itemCountOf = ({ items }: NodeInputs): number => Math.max(0, ...items.map(({ length }) => length));

/** @throws FinalFailure if the node may not request that */
function requestFrom(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  demand: Extract<Demand, { kind: 'request' }>,
  since: number,
  items: number,
): Requested {
  try {
    return requestOf(frame, node, entry, demand, since, items);
  } catch (thrown) {
    if (!(thrown instanceof NodeFailure)) throw thrown;
    throw new FinalFailure(errorRecordOf(thrown, node.definition));
  }
}

/**
 * The items a node returned are its output only if they can be stored; else the node has failed, with what its options
 * say about that.
 */
async function withinLimits(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  inputs: NodeInputs,
  produced: Produced,
  record: (produced: Produced) => Promise<NodeRun>,
): Promise<NodeRun> {
  try {
    return await record(produced);
  } catch (thrown) {
    if (!(thrown instanceof NodeFailure)) throw thrown;
    const passedOn = afterFailure(frame, node, entry, inputs, thrown);
    try {
      return await record(passedOn);
    } catch (again) {
      throw again instanceof NodeFailure ? new FinalFailure(errorRecordOf(again, node.definition)) : again;
    }
  }
}

/** Thrown within this file only: the node failed and the run must not continue. */
class FinalFailure extends Error {
  readonly error: ExecutionError;

  constructor(error: ExecutionError) {
    super(error.message);
    this.error = error;
  }
}

function inputsOf(frame: RunFrame, entry: ReadyEntry): NodeInputs {
  const own =
    entry.start === true
      ? { sources: [], items: [frame.request.input] }
      : {
          sources: entry.sources,
          items: entry.sources.map((source) => (source === null ? [] : frame.store.itemsOf(source))),
        };
  return entry.call === undefined ? own : inputsOfCall(own, entry.call);
}

async function produce(
  frame: RunFrame,
  node: PreparedNode,
  entry: ReadyEntry,
  inputs: NodeInputs,
): Promise<Produced | Demand> {
  const refusal = entry.call === undefined ? undefined : refusalOf(entry.call);
  if (refusal !== undefined) throw new FinalFailure(errorRecordOf(refusal, node.definition));
  if (node.options.disabled) {
    const passed = fillItemLinks([paired(inputs.items[0] ?? [])], inputs.items);
    return { outputs: withGuaranteedOutput(node, passed, inputs) };
  }
  const pins = frame.pins.get(node.name);
  if (pins !== undefined) {
    const items = await storePinnedFiles(
      pins,
      frame.request.workflow.definition.pinData[node.name] ?? [],
      frame.deps.ports.files,
    );
    return { outputs: withGuaranteedOutput(node, fillItemLinks([items], inputs.items), inputs), pinned: true };
  }
  const executor = executorFor(node, frame.deps.registry);
  if (executor === undefined)
    throw new FinalFailure(
      errorRecordOf(new NodeFailure(`The node type "${node.definition.type}" is not known`), node.definition),
    );
  try {
    const result = await runTries(frame, node, executor, entry, inputs);
    frame.thread.mark();
    if (result.kind === 'wait' || result.kind === 'request') return result;
    if (result.kind === 'nothing' && !node.options.alwaysOutputData) return result;
    const given = result.kind === 'nothing' ? [] : result.outputs;
    const finished = frame.secrets.outputs(finish(node, executor, given, inputs));
    return { outputs: withGuaranteedOutput(node, finished, inputs) };
  } catch (thrown) {
    if (frame.request.signal.aborted) throw thrown;
    return afterFailure(frame, node, entry, inputs, thrown);
  }
}

/**
 * The items passed on after a node that failed: its input, if its options allow it. An empty input stays empty, also
 * with `alwaysOutputData`. @throws FinalFailure if they do not, and for calls of tools
 */
function afterFailure(
  frame: RunFrame,
  node: PreparedNode,
  { call }: ReadyEntry,
  inputs: NodeInputs,
  thrown: unknown,
): Produced {
  const error = boundedError(frame.secrets.error(errorRecordOf(thrown, node.definition)));
  if (node.options.onError === 'stopWorkflow' || call !== undefined) throw new FinalFailure(error);
  return { outputs: [paired(inputs.items[0] ?? [])], error };
}

async function runTries(
  frame: RunFrame,
  node: PreparedNode,
  executor: NodeExecutor,
  entry: ReadyEntry,
  inputs: NodeInputs,
): Promise<AnsweredResult> {
  const { tries, waitBetweenTriesMs } = node.options;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= tries;
    try {
      const { result, context } = await tryOnce(frame, node, executor, entry, inputs, attempt - 1);
      if (isLast || result.kind !== 'items' || !holdsFailure(result.outputs)) {
        context.keepMemory();
        return result;
      }
    } catch (thrown) {
      if (isLast || frame.request.signal.aborted) throw thrown;
    }
    await abortable(frame.deps.ports.clock.sleep(waitBetweenTriesMs, frame.request.signal), frame.request.signal);
  }
}

async function tryOnce(
  frame: RunFrame,
  node: PreparedNode,
  executor: NodeExecutor,
  entry: ReadyEntry,
  inputs: NodeInputs,
  triesBefore: number,
): Promise<{ result: AnsweredResult; context: NodeRunContext }> {
  const { signal } = frame.request;
  const context = contextOf(frame, node, inputs, optionsOf(frame, entry, triesBefore));
  const running = frame.thread.within(() => executor.run(context));
  const result = running instanceof Promise ? await abortable(running, signal) : running;
  frame.thread.mark();
  if (result.kind === 'respond')
    await abortable(frame.deps.ports.respond(result.response, knownTokenHash(frame.memories.get(RUN_MEMORY))), signal);
  return { result: result.kind === 'respond' ? { kind: 'items', outputs: result.outputs } : result, context };
}

function optionsOf(frame: RunFrame, entry: ReadyEntry, attempt: number): Omit<NodeRunOptions, 'attach'> {
  const { waited, call } = entry;
  const continuation = continuationOf(frame, entry);
  const toolCall = toolCallOf(entry);
  const memoryKey = memoryKeyOf(entry);
  const place = call === undefined ? undefined : frame.request.workflow.nodes.get(call.place);
  return {
    resume: waited === true ? frame.request.resume : undefined,
    attempt,
    ...(continuation === undefined ? {} : { continuation }),
    ...(toolCall === undefined ? {} : { toolCall }),
    ...(memoryKey === undefined ? {} : { memoryKey }),
    ...(place === undefined ? {} : { place }),
    ...(call === undefined ? {} : { firstItem: call.itemIndex }),
  };
}

/**
 * True if the first item has an error among its fields, whichever node put it there: a service that reports errors with
 * status 200 is asked again too.
 */
function holdsFailure(outputs: Outputs): boolean {
  const error = outputs[0]?.[0]?.json['error'];
  return error !== undefined && error !== null && error !== false;
}

function finish(node: PreparedNode, executor: NodeExecutor, outputs: Outputs, inputs: NodeInputs): Outputs {
  if (node.options.onError !== 'continueErrorOutput') return fillItemLinks(withErrorJson(outputs), inputs.items);
  const shape = { version: node.version, rawParameter: (path: string) => node.parameters.raw(path) };
  const split = splitErrors(outputs, executor.outputCount?.(shape) ?? node.outputCount, inputs.items);
  return fillItemLinks(split, inputs.items);
}

function withGuaranteedOutput(node: PreparedNode, outputs: Outputs, inputs: NodeInputs): Outputs {
  const [first, ...others] = outputs;
  if (!node.options.alwaysOutputData || (first?.length ?? 0) > 0) return outputs;
  return [[{ json: {}, pairedItem: pairedWithAll(inputs.items) }], ...others];
}

/** Input items on their way through, each paired with itself. */
function paired(items: readonly Item[]): Item[] {
  return items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
}
