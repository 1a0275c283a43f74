import { withStore } from '@weft/service-kit/mongo';
import type { ExecutionRecord } from '../domain/execution';
import type { FindRetries, FindRetryable } from '../domain/retries/retry-job';
import type { ExecutionModel } from './execution-schema';
import { QUERIES } from './queries';

/** Finds executions that a job is to retry. */
export const createFindRetryable =
  (model: ExecutionModel): FindRetryable =>
  async (filter, after, most) => {
    const { filter: where, sort, index } = QUERIES.retryable(filter, after);
    const found = await withStore(() =>
      model.find(where, { _id: 1 }).sort(sort).hint(index).limit(most).lean<Pick<ExecutionRecord, '_id'>[]>().exec(),
    );
    return found.map(({ _id }) => _id);
  };

/** Finds the retries of executions. */
export const createFindRetries =
  (model: ExecutionModel): FindRetries =>
  async (executionIds) => {
    const retries = new Map<string, string[]>();
    if (executionIds.length === 0) return retries;
    const { filter, index } = QUERIES.retriesOf(executionIds);
    const found = await withStore(() =>
      model
        .find(filter, { retry: 1, idempotencyKey: 1 })
        .hint(index)
        .lean<Pick<ExecutionRecord, '_id' | 'retry' | 'idempotencyKey'>[]>()
        .exec(),
    );
    for (const { retry, idempotencyKey = '' } of found) {
      if (retry !== undefined) retries.set(retry.of, [...(retries.get(retry.of) ?? []), idempotencyKey]);
    }
    return retries;
  };
