import { Forbidden } from '@weft/service-kit/errors';
import { scoped, type Scoped, type VisibilityScope } from '@weft/service-kit/visibility';
import type { RetryJob, RetryJobStore } from './retry-job';

/** Jobs visible to a caller. */
export type ScopedRetryJobs = Scoped<Pick<RetryJobStore, 'find' | 'page' | 'cancel'>>;

/**
 * A job of an editor covers that editor's executions. Jobs of owners and admins cover executions of all owners,
 * including their ids and errors: only callers who may see everything can see them.
 */
export const scopedRetryJobs = (
  { find, page, cancel }: Pick<RetryJobStore, 'find' | 'page' | 'cancel'>,
  { hidden, sees, refusal }: VisibilityScope,
): ScopedRetryJobs => {
  const isVisible = ({ filter: { ownerId } }: RetryJob): boolean =>
    hidden.length === 0 || (ownerId !== undefined && sees(ownerId));
  return scoped({
    find: async (id) => {
      const job = await find(id);
      if (job !== undefined && !isVisible(job)) throw new Forbidden(refusal, { retryJobId: id });
      return job;
    },
    page: (afterId, limit) => page(afterId, limit, hidden.length > 0),
    cancel,
  });
};
