import { withStore } from '@weft/service-kit/mongo';
import type { CountWithStatus } from '../../domain/read/execution-counts';
import type { ReadQueueState } from '../../domain/read/sweep-ports';
import type { ExecutionModel } from '../executions/execution-schema';
import { QUERIES, type Query } from '../queries';

/** Counts executions that have not ended, and finds the oldest one that was never claimed. */
export const createReadQueueState = (model: ExecutionModel): ReadQueueState => {
  const count = ({ filter, index }: Query, limit: number): Promise<number> =>
    withStore(() => model.countDocuments(filter, { limit }).hint(index).exec());
  return async (most) => {
    const { filter, sort, index } = QUERIES.neverClaimed();
    const [queued, running, waiting, oldest] = await Promise.all([
      count(QUERIES.queued(), most),
      count(QUERIES.running(), most),
      count(QUERIES.waiting(), most),
      withStore(() =>
        model.findOne(filter, { createdAt: 1 }).sort(sort).hint(index).lean<{ createdAt: Date } | null>().exec(),
      ),
    ]);
    return { queued, running, waiting, ...(oldest === null ? {} : { oldestAt: oldest.createdAt }) };
  };
};

/** Counts executions with a status from an id on, from the index alone. */
export const createCountWithStatus =
  (model: ExecutionModel): CountWithStatus =>
  async (status, fromId, most) => {
    const { filter, index } = QUERIES.withStatus(status, fromId);
    return withStore(() => model.countDocuments(filter, { limit: most }).hint(index).exec());
  };
