import { idAt } from '../state/id-at';
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

/** Counts failed executions with this id or a greater one, up to a maximum. @throws Unavailable */
export type CountFailed = (fromId: string, most: number) => Promise<number>;

export type GetExecutionCounts = () => Promise<ExecutionCounts>;

const MAX_COUNT = 1_000;
const HOUR_MS = 3_600_000;

export interface CountPorts {
  readonly readQueueState: ReadQueueState;
  readonly countFailed: CountFailed;
  readonly clock: Clock;
}

/** Counts of the whole instance, whoever owns the executions. */
export const createGetExecutionCounts =
  ({ readQueueState, countFailed, clock }: CountPorts): GetExecutionCounts =>
  async () => {
    const hourAgo = new Date(clock() - HOUR_MS);
    const [{ queued, running, waiting, oldestAt }, failedLastHour] = await Promise.all([
      readQueueState(MAX_COUNT),
      countFailed(idAt(hourAgo), MAX_COUNT),
    ]);
    return {
      queued,
      running,
      waiting,
      failedLastHour,
      ...(oldestAt === undefined ? {} : { oldestQueuedAt: oldestAt }),
    };
  };
