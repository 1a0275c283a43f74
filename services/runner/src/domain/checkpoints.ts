import type { StoredNodeRun } from './claimed-execution';
import { encodeState, type EngineState, knownTokenHash, type NodeRunEvent, RUN_MEMORY } from '@weft/engine';
import type { ExecutionStore } from './execution-store';
import type { Held } from './held-executions';
import { retryWhileHeld } from './retry-while-held';

/** Longest time between checkpoints of a run that does nothing outside. */
const EVERY_MS = 1_000;
/** Node runs waiting for a checkpoint are stored when they are larger than this in all. */
const MAX_BYTES = 128 * 1024;

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
  /** Takes a node run; stores all so far if it acted outside, or if a checkpoint is due. */
  readonly onNodeRun: (event: NodeRunEvent) => Promise<void> | void;
  /** Stores all so far. */
  readonly save: (state: EngineState) => Promise<void>;
  readonly unsaved: () => Unsaved;
}

const toStored = ({ node, run, record, json }: NodeRunEvent): StoredNodeRun => ({
  node,
  run,
  executionIndex: record.executionIndex,
  failed: record.executionStatus === 'error',
  recordJson: json,
});

/**
 * Checkpoints of one run. A write that is refused as stale aborts the run: another runner has it.
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
  let bytes = 0;
  let customData: { readonly customDataJson?: string } = {};
  let lastAt = clock();

  const save = async (state: EngineState): Promise<void> => {
    const tokenHash = knownTokenHash(state.memories[RUN_MEMORY]);
    const token = tokenHash === undefined ? {} : { resumeTokenHash: tokenHash };
    const progress = {
      executionId: held.executionId,
      fence: held.fence,
      checkpoint: checkpoint + 1,
      nodeRuns,
      ...customData,
      ...token,
      engineState: encodeState(state),
    };
    const outcome = await retryWhileHeld(() => store.checkpoint(progress), held.signal);
    if (outcome === 'fenced') {
      held.abort('lost');
      return;
    }
    checkpoint += 1;
    nodeRuns = [];
    bytes = 0;
    lastAt = clock();
  };
  return {
    onNodeRun: (event) => {
      const run = toStored(event);
      if (event.customData !== undefined) customData = { customDataJson: JSON.stringify(event.customData) };
      nodeRuns.push(run);
      bytes += run.recordJson.length;
      count(run.recordJson.length);
      const isDue = event.actsOutside || bytes > MAX_BYTES || clock() - lastAt > EVERY_MS;
      return isDue ? save(event.state()) : undefined;
    },
    save,
    unsaved: () => ({ checkpoint, nodeRuns, ...customData }),
  };
};
