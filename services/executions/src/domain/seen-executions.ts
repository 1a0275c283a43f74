import { Forbidden } from '@weft/service-kit/errors';
import { seen, seenOne, type Seen, type Sight } from '@weft/service-kit/sight';
import type { FindPage, ReadShown } from './list-executions';
import type { ReadExecution, ReadHeld } from './ports';
import type { RetryJob, RetryJobStore } from './retries/retry-job';

/** Reads of executions. */
export interface ExecutionReads {
  readonly read: ReadExecution;
  readonly readHeld: ReadHeld;
  readonly readShown: ReadShown;
  readonly readPage: FindPage;
}

/** The same as a caller sees them. */
export type SeenReads = Seen<ExecutionReads>;

/** Jobs of retries as a caller sees them. */
export type SeenRetryJobs = Seen<Pick<RetryJobStore, 'find' | 'page' | 'cancel'>>;

const ofExecution = ({ _id }: { readonly _id: string }) => ({ executionId: _id });

/**
 * The only way to executions for use cases of users, so that none of them can forget what is closed. A page leaves out
 * what is not seen; what is asked for by its id is refused as Forbidden.
 */
export const seenReads = ({ read, readHeld, readShown, readPage }: ExecutionReads, sight: Sight): SeenReads => {
  const { hidden, sees } = sight;
  return seen({
    read: seenOne(read, sight, ofExecution),
    readHeld: seenOne(readHeld, sight, ofExecution),
    readShown: seenOne(readShown, sight, ofExecution),
    readPage: async (filter, limit) => {
      if (filter.ownerId === undefined) return readPage({ ...filter, hiddenOwnerIds: hidden }, limit);
      return sees(filter.ownerId) ? readPage(filter, limit) : [];
    },
  });
};

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
