import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { decodeCursor, encodeCursor, pageLimit } from '@weft/service-kit/paging';
import { RetryJobNotFound } from '../errors';
import type { Clock } from '../ports';
import type { RetryJob, RetryJobStore } from './retry-job';

/** What users do with jobs. */
export interface ManageRetryJobs {
  /** @throws RetryJobNotFound */
  readonly get: (id: string) => Promise<RetryJob>;
  /** Newest first. @throws InvalidRequest */
  readonly list: (
    limit: number,
    cursor: string,
  ) => Promise<{ readonly jobs: readonly RetryJob[]; readonly nextCursor: string }>;
  /** Ends a job that runs; one that has ended is answered as it is. @throws RetryJobNotFound, Forbidden */
  readonly cancel: (id: string, principal: Principal | undefined) => Promise<RetryJob>;
}

/** Manages jobs. */
export const createManageRetryJobs = (jobs: RetryJobStore, clock: Clock): ManageRetryJobs => {
  const get = async (id: string): Promise<RetryJob> => {
    const job = isUuid(id) ? await jobs.find(id) : undefined;
    if (job === undefined) throw new RetryJobNotFound(id);
    return job;
  };
  return {
    get,
    list: async (limit, cursor) => {
      const size = pageLimit(limit);
      const found = await jobs.page(decodeCursor(cursor), size + 1);
      const page = found.slice(0, size);
      return { jobs: page, nextCursor: found.length > size ? encodeCursor(page.at(-1)?.id ?? '') : '' };
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
