import type { ExecutionRecord } from '../state/execution';
import type { Clock, InsertExecution } from '../state/ports';

/**
 * Takes the id of an execution that does not exist, so that a start that was sent before and arrives late cannot use
 * it. Safe to repeat.
 * @returns false if the id belongs to an execution, or to one that was deleted
 * @throws Unavailable
 */
export type FenceExecution = (executionId: string) => Promise<boolean>;

const DAY_MS = 24 * 3_600_000;

/** Longer than any start can be late: deliveries are kept for 72 h. */
export const FENCE_MS = 7 * DAY_MS;

/** A deleted execution: nothing shows it, nothing runs it, and it expires. */
const fenceOf = (executionId: string, now: number): ExecutionRecord => ({
  _id: executionId,
  workflowId: '',
  versionId: '',
  ownerId: '',
  mode: 'webhook',
  startNode: '',
  usePinData: false,
  state: 'cancelled',
  status: 'error',
  fence: 0,
  generation: 0,
  crashes: 0,
  runsAtCrash: 0,
  crashPolicy: 'fail',
  checkpoint: 0,
  manifest: [],
  nodeRunCount: 0,
  dataBytes: 0,
  inlineBytes: 0,
  uploadedBytes: 0,
  postRunActions: [],
  requestHash: FENCE_HASH,
  createdAt: new Date(now),
  finishedAt: new Date(now),
  deletedAt: new Date(now),
  expireAt: new Date(now + FENCE_MS),
});

/** Fences of ids that need no document among the executions any more. */
export interface SpentFences {
  readonly isSpent: (executionId: string) => Promise<boolean>;
  /**
   * Called when a start has met its fence. Only the first attempt of a start is not marked as repeated, so from now on
   * it is enough that repeated ones look here. Does nothing if the id belongs to an execution.
   */
  readonly spend: (executionId: string) => Promise<void>;
}

/** Value of `requestHash` in a fence. */
export const FENCE_HASH = 'fence';

/** Starts have ids of version 7; others need no fence. */
const isStartId = (id: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id);

/** @param insert of the store: a fence is not counted as a run */
export const createFenceExecution =
  (insert: InsertExecution, { isSpent }: Pick<SpentFences, 'isSpent'>, clock: Clock): FenceExecution =>
  async (executionId) => {
    if (!isStartId(executionId) || (await isSpent(executionId))) return true;
    return (await insert(fenceOf(executionId, clock()))).kind === 'inserted';
  };
