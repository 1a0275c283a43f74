import type { RunFacts, StoredNodeRun } from '../claims/claimed-execution';
import {
  encodeState,
  type EngineState,
  knownTokenHash,
  type ModelUsage,
  modelUsageOf,
  type NodeRunEvent,
  type NodeRunRecord,
  RUN_MEMORY,
} from '@weft/engine';
import { LIMITS } from '@weft/service-kit/limits';
import type { ExecutionStore } from '../claims/held/execution-store';
import type { Held } from '../claims/held/held-executions';
import { retryWhileHeld } from '../claims/held/retry-while-held';

/** Longest time between checkpoints of a run without side effects. */
const EVERY_MS = 1_000;
/**
 * Delay of the checkpoint after a side-effecting node: the next write of the run then includes its node runs, and most
 * such runs end at once. If the runner crashes meanwhile, the node runs again, as if the crash had come slightly
 * earlier.
 */
const MERGE_MS = 10;
/**
 * Node runs waiting for a checkpoint are stored once they exceed this size in total. It only limits memory: the time
 * above limits how much work may be repeated.
 */
const MAX_BYTES = 1024 * 1024;

/** Progress of a run since its last checkpoint. */
export interface Unsaved {
  /** Number of stored checkpoints. */
  readonly checkpoint: number;
  readonly nodeRuns: readonly StoredNodeRun[];
  /** JSON object of everything recorded by the run; absent if nothing. */
  readonly customDataJson?: string;
  /** Calls and tokens of models in all attempts so far; absent: it called none. */
  readonly modelUsage?: ModelUsage;
}

/** Decides when a run is checkpointed, and stores it. */
export interface Checkpoints {
  /**
   * Adds a node run; stores all node runs if a checkpoint is due, slightly later after a side-effecting node. One that
   * ends the run is left to the last write of the run.
   * @throws the refusal of a checkpoint, including an earlier one
   */
  readonly onNodeRun: (event: NodeRunEvent) => Promise<void> | void;
  /** Stores all node runs. @throws the refusal of a checkpoint */
  readonly save: (state: EngineState) => Promise<void>;
  /** Stores pending side effects before the next side-effecting node. @throws the refusal */
  readonly flush: () => Promise<void>;
  /**
   * To be called when the run has halted: resolves when no checkpoint is in flight. The last write of the run stores
   * the rest.
   * @throws the refusal of a checkpoint
   */
  readonly halt: () => Promise<void>;
  readonly unsaved: () => Unsaved;
  /** The progress since the last checkpoint up to the last side-effecting node, from which the run can continue. */
  readonly reached: () => Unsaved & { readonly engineState: Uint8Array };
}

/** A point in the run at which it can be stored. */
interface Point {
  /** Number of earlier node runs of this claim. */
  readonly end: number;
  readonly engineState: Uint8Array;
  readonly token: { readonly resumeTokenHash?: string };
  readonly usage: { readonly modelUsage?: ModelUsage };
}

const pointOf = (end: number, state: EngineState): Point => {
  const hash = knownTokenHash(state.memories[RUN_MEMORY]);
  return {
    end,
    engineState: encodeState(state),
    token: hash === undefined ? {} : { resumeTokenHash: hash },
    usage: usageIn(state),
  };
};

/** Calls and tokens of models in a state. */
export const usageIn = ({ memories }: EngineState): { readonly modelUsage?: ModelUsage } => {
  const modelUsage = modelUsageOf(memories[RUN_MEMORY]);
  return modelUsage === undefined ? {} : { modelUsage };
};

/** The service keeps no more outputs, and no more of the message. */
const factsOf = ({ startTime, executionTime, data, error }: NodeRunRecord): RunFacts => ({
  startedAtMs: startTime,
  durationMs: Math.max(0, Math.round(executionTime)),
  outputItems: (data?.main ?? Object.values(data ?? {})[0] ?? [])
    .slice(0, LIMITS.eventOutputs.max)
    .map(({ length }) => length),
  errorMessage: error?.message.slice(0, LIMITS.eventErrorMessage.max) ?? '',
});

const toStored = ({ node, run, record, json }: NodeRunEvent): StoredNodeRun => ({
  node,
  run,
  executionIndex: record.executionIndex,
  failed: record.executionStatus === 'error',
  facts: factsOf(record),
  recordJson: json,
});

/**
 * Checkpoints of one run. A fenced write aborts the run: another runner has it.
 * @param clock monotonic milliseconds.
 * @param count called with the bytes of each unsaved node run; if it throws, the run ends
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
  /** Number of node runs stored before those. */
  let before = 0;
  let bytes = 0;
  let customData: { readonly customDataJson?: string } = {};
  let usage: { readonly modelUsage?: ModelUsage } = {};
  let lastAt = clock();
  let waiting: Point | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The last write; each begins when the previous one has ended. */
  let writing: Promise<void> = Promise.resolve();
  let refusal: { readonly error: unknown } | undefined;

  const write = async ({ end, engineState, token, usage: used }: Point): Promise<void> => {
    const stored = nodeRuns.slice(0, end - before);
    const progress = {
      executionId: held.executionId,
      fence: held.fence,
      checkpoint: checkpoint + 1,
      nodeRuns: stored,
      ...customData,
      ...used,
      ...token,
      engineState,
    };
    const outcome = await retryWhileHeld(() => store.checkpoint(progress), held.signal, {
      witness: () => store.persist(held),
    });
    if (outcome === 'fenced') {
      held.abort('lost');
      return;
    }
    checkpoint += 1;
    nodeRuns = nodeRuns.slice(stored.length);
    before += stored.length;
    bytes = nodeRuns.reduce((sum, { recordJson }) => sum + recordJson.length, 0);
    lastAt = clock();
    held.stored();
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
    // An error is thrown at the next call of the run.
    timer = setTimeout(() => void flush().catch(() => undefined), MERGE_MS);
  };
  return {
    onNodeRun: (event) => {
      throwRefusal();
      const run = toStored(event);
      if (event.customData !== undefined) customData = { customDataJson: JSON.stringify(event.customData) };
      if (event.modelUsage !== undefined) usage = { modelUsage: event.modelUsage };
      nodeRuns.push(run);
      bytes += run.recordJson.length;
      count(run.recordJson.length);
      // The report stores it together with the outcome: a checkpoint alone would let another runner continue past it.
      if (event.ends || event.joinsNext) return undefined;
      if (bytes > MAX_BYTES || clock() - lastAt > EVERY_MS) return save(event.state());
      return event.actsOutside ? mergeSoon(event.state()) : undefined;
    },
    save,
    flush,
    halt: async () => {
      clearTimeout(timer);
      await writing;
    },
    unsaved: () => ({ checkpoint, nodeRuns, ...customData, ...usage }),
    reached: () => {
      const runs = waiting === undefined ? [] : nodeRuns.slice(0, waiting.end - before);
      return {
        checkpoint,
        nodeRuns: runs,
        ...customData,
        ...waiting?.usage,
        engineState: waiting?.engineState ?? new Uint8Array(),
      };
    },
  };
};
