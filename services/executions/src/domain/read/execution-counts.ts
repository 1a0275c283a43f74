import { idAt } from '../state/id-at';
import type { ExecutionStatus } from '../state/execution-state';
import type { Clock } from '../state/ports';
import type { ReadQueueState } from './sweep-ports';

/** Executions of the instance; counts stop at a maximum. */
export interface ExecutionCounts {
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  /** Failed ones that were accepted in the last hour. */
  readonly failedLastHour: number;
  /** When the oldest one that no runner has claimed yet was accepted. */
  readonly oldestQueuedAt?: Date;
}

/** Counts executions with a status and this id or a greater one, up to a maximum. @throws Unavailable */
export type CountWithStatus = (status: ExecutionStatus, fromId: string, most: number) => Promise<number>;

export type GetExecutionCounts = () => Promise<ExecutionCounts>;

const MAX_COUNT = 1_000;
const HOUR_MS = 3_600_000;

export interface CountPorts {
  readonly readQueueState: ReadQueueState;
  readonly countWithStatus: CountWithStatus;
  readonly clock: Clock;
}

/** Counts of the whole instance, over all owners. */
export const createGetExecutionCounts =
  ({ readQueueState, countWithStatus, clock }: CountPorts): GetExecutionCounts =>
  async () => {
    const hourAgo = new Date(clock() - HOUR_MS);
    const [{ queued, running, oldestAt }, waiting, failedLastHour] = await Promise.all([
      readQueueState(MAX_COUNT),
      countWithStatus('waiting', '', MAX_COUNT),
      countWithStatus('error', idAt(hourAgo), MAX_COUNT),
    ]);
    return {
      queued,
      running,
      waiting,
      failedLastHour,
      ...(oldestAt === undefined ? {} : { oldestQueuedAt: oldestAt }),
    };
  };
