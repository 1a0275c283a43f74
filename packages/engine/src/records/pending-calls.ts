import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue/definitions';
import { readUsage, type RunUsage } from './model-usage';
import { EngineStateUnreadable } from './state-errors';

/** A run of a sub-node, as `metadata.subRun` of the node that uses it lists it. */
export interface SubRunPlace {
  readonly node: string;
  readonly runIndex: number;
}

/** Calls that a node has requested in its current run. */
export interface PendingRequest {
  /** The state that the node stored. */
  readonly state: JsonObject;
  /** Those of the last request, in its order. */
  readonly calls: readonly RequestedCall[];
  /** Number of requests so far. */
  readonly steps: number;
  /** Runs of sub-nodes so far, those of tools included. */
  readonly subRuns: readonly SubRunPlace[];
  /** Tokens used so far; absent: none. */
  readonly usage?: RunUsage;
  /** Milliseconds for which the run has waited since the node was first run; absent: 0. */
  readonly waitedMs?: number;
}

/** One requested call. */
export interface RequestedCall {
  readonly id: string;
  readonly node: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly itemIndex: number;
  /** Number of the run of the tool node that made it; absent: not made yet. */
  readonly run?: number;
}

/** A call that a tool node is to make. Its entry has the sources of the node that requested it. */
export interface PendingCall {
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** The node that requested it, and its run. */
  readonly root: SubRunPlace;
  /** Name of the node from whose place in the workflow expressions look: the outermost root. */
  readonly place: string;
  /** The item of the outermost root, and what calls on the way have added to it. */
  readonly itemIndex: number;
  readonly fields: JsonObject;
  /** For a tool that needs approval, once it is decided. */
  readonly approval?: ApprovalDecision;
}

/** A decision about a call of a tool. */
export interface ApprovalDecision {
  /** `expired`: it was not decided in time. */
  readonly decision: 'approve' | 'reject' | 'expired';
  readonly message?: string;
  /** Id of the user. */
  readonly decidedBy?: string;
  /** Unix milliseconds. */
  readonly decidedAt?: number;
}

/** Reads a stored request. @throws EngineStateUnreadable */
export function readRequest(value: Json): PendingRequest {
  if (!isJsonObject(value)) throw damaged('a request');
  const { state, calls, steps, subRuns, usage, waitedMs } = value;
  if (!isJsonObject(state) || !Array.isArray(calls) || typeof steps !== 'number' || !Array.isArray(subRuns))
    throw damaged('a request');
  const used = readUsage(usage);
  return {
    state,
    calls: calls.map(readRequestedCall),
    steps,
    subRuns: subRuns.map(readPlace),
    ...(used === undefined ? {} : { usage: used }),
    ...(typeof waitedMs === 'number' ? { waitedMs } : {}),
  };
}

function readRequestedCall(value: Json): RequestedCall {
  if (!isJsonObject(value)) throw damaged('a requested call');
  const { id, node, tool, input, itemIndex, run } = value;
  if (
    typeof id !== 'string' ||
    typeof node !== 'string' ||
    typeof tool !== 'string' ||
    typeof itemIndex !== 'number' ||
    !isJsonObject(input)
  )
    throw damaged('a requested call');
  return { id, node, tool, input, itemIndex, ...(typeof run === 'number' ? { run } : {}) };
}

function readPlace(value: Json | undefined): SubRunPlace {
  if (!isJsonObject(value) || typeof value['node'] !== 'string' || typeof value['runIndex'] !== 'number')
    throw damaged('the place of a node run');
  return { node: value['node'], runIndex: value['runIndex'] };
}

/** Reads a stored call. @throws EngineStateUnreadable */
export function readCall(value: Json): PendingCall {
  if (!isJsonObject(value)) throw damaged('a call');
  const { id, tool, input, root, place, itemIndex, fields, approval } = value;
  if (
    typeof id !== 'string' ||
    typeof tool !== 'string' ||
    typeof place !== 'string' ||
    typeof itemIndex !== 'number' ||
    !isJsonObject(input) ||
    !isJsonObject(fields)
  )
    throw damaged('a call');
  return {
    id,
    tool,
    input,
    root: readPlace(root),
    place,
    itemIndex,
    fields,
    ...(approval === undefined ? {} : { approval: readApproval(approval) }),
  };
}

const DECISIONS = ['approve', 'reject', 'expired'] as const;

/** Reads a decision. @throws EngineStateUnreadable */
export function readApproval(value: Json): ApprovalDecision {
  const { decision, message, decidedBy, decidedAt } = isJsonObject(value) ? value : {};
  const known = DECISIONS.find((one) => one === decision);
  if (known === undefined) throw damaged('the approval of a call');
  return {
    decision: known,
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof decidedBy === 'string' ? { decidedBy } : {}),
    ...(typeof decidedAt === 'number' ? { decidedAt } : {}),
  };
}

function damaged(what: string): EngineStateUnreadable {
  return new EngineStateUnreadable(`${what} is not complete`);
}
