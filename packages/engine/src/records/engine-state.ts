import type { Json, JsonObject } from '@weft/node-catalogue/definitions';
import { isJsonObject } from '@weft/node-catalogue/definitions';
import { readPartial, type PartialState } from '../run/partial-run';
import { type PendingCall, type PendingRequest, readCall, readRequest } from './pending-calls';
import type { QuietWait } from '../node/node';
import type { RunSource } from './run-record';
import { EngineStateUnreadable } from './state-errors';

/** Contents of the inputs of a node, by input; null where nothing came. */
export type InputSources = readonly (RunSource | null)[];

/** A node that can run now. */
export interface ReadyEntry {
  readonly node: string;
  readonly sources: InputSources;
  /** True for the node the run starts at: its items are the input of the execution. */
  readonly start?: true;
  /** True if the node asked to wait and is to run again. */
  readonly waited?: true;
  /** Unix milliseconds at which it was first run, if it waited: its record begins there. */
  readonly since?: number;
  /** Set for a node that requested calls of tools and continues when they are made. */
  readonly request?: PendingRequest;
  /** Set for a tool node that is to make such a call. */
  readonly call?: PendingCall;
  /** Set for a call that waits: Unix milliseconds at which the wait began. */
  readonly waitsSince?: number;
  /** Set for a call that waits as soon as no other call of its request can run. */
  readonly wait?: QuietWait;
}

/**
 * A node with several inputs, some of which still lack items. The first of every input belong together, then the
 * second, and so on.
 */
export interface WaitingNode {
  readonly node: string;
  /** By input: the items that arrived there and have not been used, oldest first. */
  readonly arrived: readonly (readonly RunSource[])[];
}

/**
 * Versions of the stored state. Two adjacent releases run together during an upgrade or a rollback, so one release
 * reads a new version while it still writes the old one, and the next release writes it. Runs of some nodes only have a
 * separate version from their start: a runner of a release that does not know them must not run all nodes. So have
 * runs while a node waits for calls that it requested: another runner would begin that node again.
 */
export const STATE_VERSIONS = { written: 1, partial: 2, requests: 3, read: [1, 2, 3] } as const;

/**
 * Position of a run between two node runs, as plain JSON. Together with the stored node runs it is enough to continue
 * the run in another process. It holds no items: sources refer to the stored node runs.
 */
export interface EngineState {
  readonly version: (typeof STATE_VERSIONS.read)[number];
  /** Number that the next node run gets. */
  readonly executionIndex: number;
  /** The next one first. */
  readonly ready: readonly ReadyEntry[];
  /** In the order in which the first item arrived. */
  readonly waiting: readonly WaitingNode[];
  /** State that nodes store between their runs, by node name. */
  readonly memories: Readonly<Record<string, JsonObject>>;
  readonly lastNode?: string;
  /** Set, in versions 2 and 3 only, if only some nodes run. */
  readonly partial?: PartialState;
}

/** The state of a run that has not begun. */
export function initialState(startNode: string): EngineState {
  return {
    version: STATE_VERSIONS.written,
    executionIndex: 0,
    ready: [{ node: startNode, sources: [], start: true }],
    waiting: [],
    memories: {},
  };
}

/** The state as bytes to store. */
export function encodeState(state: EngineState): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(state));
}

/** The version of an encoded state, which its first bytes state. */
export function encodedVersion(bytes: Uint8Array): number {
  const [, version] = /^\{"version":(\d+)/.exec(new TextDecoder().decode(bytes.subarray(0, 32))) ?? [];
  return version === undefined ? STATE_VERSIONS.written : Number(version);
}

/** A stored state of a version that this engine does not read; the engine of another release continues from it. */
export class EngineStateUnknown extends EngineStateUnreadable {
  constructor(readonly version: number) {
    super(`it has version ${version}, and this engine knows ${STATE_VERSIONS.read.join(', ')}`);
    this.name = 'EngineStateUnknown';
  }
}

/** Reads a stored state. @throws EngineStateUnknown, EngineStateUnreadable */
export function decodeState(bytes: Uint8Array): EngineState {
  const value = parse(bytes);
  if (!isJsonObject(value)) throw new EngineStateUnreadable('it is not a JSON object');
  const { version } = value;
  if (typeof version !== 'number') throw new EngineStateUnreadable('it has no version');
  if (!STATE_VERSIONS.read.some((known) => known === version)) throw new EngineStateUnknown(version);
  const { executionIndex, ready, waiting, memories, lastNode } = value;
  const hasPartial = version === STATE_VERSIONS.partial || value['partial'] !== undefined;
  const partial = hasPartial ? readPartial(value['partial'] ?? null) : undefined;
  if (
    typeof executionIndex !== 'number' ||
    !Array.isArray(ready) ||
    !Array.isArray(waiting) ||
    !isJsonObject(memories) ||
    (hasPartial && partial === undefined)
  ) {
    throw new EngineStateUnreadable('a part of it is missing');
  }
  return {
    version: STATE_VERSIONS.read.find((known) => known === version) ?? STATE_VERSIONS.written,
    executionIndex,
    ready: ready.map(readReady),
    waiting: waiting.map(readWaiting),
    memories: readMemories(memories),
    ...(typeof lastNode === 'string' ? { lastNode } : {}),
    ...(partial === undefined ? {} : { partial }),
  };
}

function parse(bytes: Uint8Array): Json {
  try {
    const value: Json = JSON.parse(new TextDecoder().decode(bytes));
    return value;
  } catch {
    throw new EngineStateUnreadable('it is not JSON');
  }
}

function readReady(value: Json): ReadyEntry {
  if (!isJsonObject(value) || typeof value['node'] !== 'string')
    throw new EngineStateUnreadable('an entry of the queue has no node');
  return {
    node: value['node'],
    sources: readSources(value['sources']),
    ...(value['start'] === true ? { start: true as const } : {}),
    ...(value['waited'] === true ? { waited: true as const } : {}),
    ...(typeof value['since'] === 'number' ? { since: value['since'] } : {}),
    ...(value['request'] === undefined ? {} : { request: readRequest(value['request']) }),
    ...(value['call'] === undefined ? {} : { call: readCall(value['call']) }),
    ...(typeof value['waitsSince'] === 'number' ? { waitsSince: value['waitsSince'] } : {}),
    ...(value['wait'] === undefined ? {} : { wait: readWait(value['wait']) }),
  };
}

function readWait(value: Json): QuietWait {
  const { kind, at, executionId } = isJsonObject(value) ? value : {};
  if (kind === 'timer' && typeof at === 'number') return { kind, at };
  if (kind === 'child' && typeof executionId === 'string') return { kind, executionId };
  throw new EngineStateUnreadable('the wait of a call is not complete');
}

function readWaiting(value: Json): WaitingNode {
  if (!isJsonObject(value) || typeof value['node'] !== 'string' || !Array.isArray(value['arrived'])) {
    throw new EngineStateUnreadable('a waiting node is not complete');
  }
  return {
    node: value['node'],
    arrived: value['arrived'].map((input) => readSources(input).filter((source) => source !== null)),
  };
}

function readSources(value: Json | undefined): InputSources {
  return (Array.isArray(value) ? value : []).map((source) => {
    if (source === null) return null;
    if (!isJsonObject(source) || typeof source['previousNode'] !== 'string')
      throw new EngineStateUnreadable('a source has no node');
    const { previousNode, previousNodeOutput, previousNodeRun } = source;
    return {
      previousNode,
      ...(typeof previousNodeOutput === 'number' ? { previousNodeOutput } : {}),
      ...(typeof previousNodeRun === 'number' ? { previousNodeRun } : {}),
    };
  });
}

function readMemories(value: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1])),
  );
}
