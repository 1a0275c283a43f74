import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage } from '@weft/service-kit/paging';
import { RetryJobNotFound } from '../state/errors';
import type { Clock } from '../state/ports';
import type { ScopedRetryJobs } from './scoped-retry-jobs';
import type { RetryJob } from './retry-job';

/** Operations of users on jobs. */
export interface ManageRetryJobs {
  /** @throws RetryJobNotFound, Forbidden */
  readonly get: (id: string) => Promise<RetryJob>;
  /** Newest first. @throws InvalidRequest */
  readonly list: (
    limit: number,
    cursor: string,
  ) => Promise<{ readonly jobs: readonly RetryJob[]; readonly nextCursor: string }>;
  /** Stops a running job; an ended one is returned unchanged. @throws RetryJobNotFound, Forbidden */
  readonly cancel: (id: string, principal: Principal | undefined) => Promise<RetryJob>;
}

/** Manages jobs. */
export const createManageRetryJobs = (jobs: ScopedRetryJobs, clock: Clock): ManageRetryJobs => {
  const get = async (id: string): Promise<RetryJob> => {
    const job = isUuid(id) ? await jobs.find(id) : undefined;
    if (job === undefined) throw new RetryJobNotFound(id);
    return job;
  };
  return {
    get,
    list: async (limit, cursor) => {
      const { items, nextCursor } = await readPage({ read: jobs.page, idOf: ({ id }) => id }, { limit, cursor });
      return { jobs: items, nextCursor };
    },
    cancel: async (id, principal) => {
      const job = await get(id);
      if (principal === undefined || !mayChange(principal, job.user.userId))
        throw new Forbidden('This job belongs to another user.', { retryJobId: id });
      if (job.state !== 'running') return job;
      await jobs.cancel(id, new Date(clock()));
      return get(id);
    },
  };
};
