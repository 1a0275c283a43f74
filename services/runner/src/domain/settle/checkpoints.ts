import type { StoredNodeRun } from '../claims/claimed-execution';
import { encodeState, type EngineState, knownTokenHash, type NodeRunEvent, RUN_MEMORY } from '@weft/engine';
import type { ExecutionStore } from '../claims/execution-store';
import type { Held } from '../claims/held-executions';
import { retryWhileHeld } from '../claims/retry-while-held';

/** Longest time between checkpoints of a run that does nothing outside. */
const EVERY_MS = 1_000;
/**
 * The checkpoint after a node that acted outside waits for so long for the next write of its run, which then has its
 * node runs: most such runs end at once. If the runner dies meanwhile, the node runs again, as if it had died a little
 * earlier.
 */
const MERGE_MS = 10;
/**
 * Node runs waiting for a checkpoint are stored when they are larger than this in all. It bounds memory alone: how much
 * work may have to be done again, the time above says.
 */
const MAX_BYTES = 1024 * 1024;

/** Progress of a run since its last checkpoint. */
export interface Unsaved {
  /** Number of checkpoints stored. */
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  /** JSON object of all that the run has recorded; absent if nothing. */
  readonly customDataJson?: string;
}

/** Decides when a run is stored on its way, and stores it. */
export interface Checkpoints {
  /**
   * Takes a node run; stores all so far if a checkpoint is due, a little later if the node acted outside.
   * @throws the refusal of a checkpoint, also of one before
   */
  readonly onNodeRun: (event: NodeRunEvent) => Promise<void> | void;
  /** Stores all so far. @throws the refusal of a checkpoint */
  readonly save: (state: EngineState) => Promise<void>;
  /** Stores what nodes that acted outside have left to store: another one is about to. @throws the refusal */
  readonly flush: () => Promise<void>;
  /**
   * To be called when the run has halted: resolves when no checkpoint is under way. What is still to be stored, the
   * last write of the run has.
   * @throws the refusal of a checkpoint
   */
  readonly halt: () => Promise<void>;
  readonly unsaved: () => Unsaved;
  /** The progress since the last checkpoint up to the last node that acted outside, from which the run can continue. */
  readonly reached: () => Unsaved & { readonly engineState: Uint8Array };
}

/** A place in the run at which it can be stored. */
interface Point {
  /** Number of node runs before it, of all that this claim has made. */
  readonly end: number;
  readonly engineState: Uint8Array;
  readonly token: { readonly resumeTokenHash?: string };
}

const pointOf = (end: number, state: EngineState): Point => {
  const hash = knownTokenHash(state.memories[RUN_MEMORY]);
  return { end, engineState: encodeState(state), token: hash === undefined ? {} : { resumeTokenHash: hash } };
};

const toStored = ({ node, run, record, json }: NodeRunEvent): StoredNodeRun => ({
  node,
  run,
  executionIndex: record.executionIndex,
  failed: record.executionStatus === 'error',
  recordJson: json,
});

/**
 * Checkpoints of one run. A write that is fenced aborts the run: another runner has it.
 * @param clock milliseconds that only grow.
 * @param count called with the bytes of each node run, once it is among the unsaved ones; what it throws ends the run
 */
export const createCheckpoints = (
  store: ExecutionStore,
  held: Held,
  stored: number,
  clock: () => number,
  count: (bytes: number) => void = () => undefined,
): Checkpoints => {
  let checkpoint = stored;
  let nodeRuns: StoredNodeRun[] = [];
  /** Node runs that were stored before those. */
  let before = 0;
  let bytes = 0;
  let customData: { readonly customDataJson?: string } = {};
  let lastAt = clock();
  let waiting: Point | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The last write; each begins when the one before has ended. */
  let writing: Promise<void> = Promise.resolve();
  let refusal: { readonly error: unknown } | undefined;

  const write = async ({ end, engineState, token }: Point): Promise<void> => {
    const stored = nodeRuns.slice(0, end - before);
    const progress = {
      executionId: held.executionId,
      fence: held.fence,
      checkpoint: checkpoint + 1,
      nodeRuns: stored,
      ...customData,
      ...token,
      engineState,
    };
    const outcome = await retryWhileHeld(() => store.checkpoint(progress), held.signal);
    if (outcome === 'fenced') {
      held.abort('lost');
      return;
    }
    checkpoint += 1;
    nodeRuns = nodeRuns.slice(stored.length);
    before += stored.length;
    bytes = nodeRuns.reduce((sum, { recordJson }) => sum + recordJson.length, 0);
    lastAt = clock();
  };
  const begin = (point: Point): Promise<void> => {
    clearTimeout(timer);
    waiting = undefined;
    writing = writing.then(() => write(point));
    writing.catch((error: unknown) => {
      refusal ??= { error };
    });
    return writing;
  };
  const throwRefusal = (): void => {
    if (refusal !== undefined) throw refusal.error;
  };
  const save = (state: EngineState): Promise<void> => begin(pointOf(before + nodeRuns.length, state));
  const flush = async (): Promise<void> => {
    throwRefusal();
    await (waiting === undefined ? writing : begin(waiting));
  };
  const mergeSoon = (state: EngineState): void => {
    clearTimeout(timer);
    waiting = pointOf(before + nodeRuns.length, state);
    // What it throws is thrown where the run is asked next.
    timer = setTimeout(() => void flush().catch(() => undefined), MERGE_MS);
  };
  return {
    onNodeRun: (event) => {
      throwRefusal();
      const run = toStored(event);
      if (event.customData !== undefined) customData = { customDataJson: JSON.stringify(event.customData) };
      nodeRuns.push(run);
      bytes += run.recordJson.length;
      count(run.recordJson.length);
      if (bytes > MAX_BYTES || clock() - lastAt > EVERY_MS) return save(event.state());
      return event.actsOutside ? mergeSoon(event.state()) : undefined;
    },
    save,
    flush,
    halt: async () => {
      clearTimeout(timer);
      await writing;
    },
    unsaved: () => ({ checkpoint, nodeRuns, ...customData }),
    reached: () => {
      const runs = waiting === undefined ? [] : nodeRuns.slice(0, waiting.end - before);
      return { checkpoint, nodeRuns: runs, ...customData, engineState: waiting?.engineState ?? new Uint8Array() };
    },
  };
};
