import { Forbidden } from '@weft/service-kit/errors';
import { seen, type Seen, type Sight } from '@weft/service-kit/sight';
import type { RetryJob, RetryJobStore } from './retry-job';

/** Jobs of retries as a caller sees them. */
export type SeenRetryJobs = Seen<Pick<RetryJobStore, 'find' | 'page' | 'cancel'>>;

/**
 * A job of an editor takes what that editor owns. Those of owners and admins take executions of everybody, whose ids
 * and errors they name: they are for those who see everything.
 */
export const seenRetryJobs = (
  { find, page, cancel }: Pick<RetryJobStore, 'find' | 'page' | 'cancel'>,
  { hidden, sees, refusal }: Sight,
): SeenRetryJobs => {
  const isSeen = ({ filter: { ownerId } }: RetryJob): boolean =>
    hidden.length === 0 || (ownerId !== undefined && sees(ownerId));
  return seen({
    find: async (id) => {
      const job = await find(id);
      if (job !== undefined && !isSeen(job)) throw new Forbidden(refusal, { retryJobId: id });
      return job;
    },
    page: (afterId, limit) => page(afterId, limit, hidden.length > 0),
    cancel,
  });
};
