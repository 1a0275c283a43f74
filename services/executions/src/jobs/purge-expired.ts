import { createTakeMine } from '@weft/service-kit/replicas';
import { expireRecordWrite } from '../domain/state/free-writes';
import type { ApplyWrite, Clock } from '../domain/state/ports';
import {
  hasPendingActions,
  rootOf,
  type Expired,
  type FindExpired,
  type FindLiveFamilies,
  type RemoveExecutions,
  type ReviewRows,
} from '../domain/data/purge';
import type { Share } from '../domain/read/sweep-ports';
import { idOf, pageOf } from './sweep';

/** Ports of purging. */
export interface PurgePorts {
  readonly findExpired: FindExpired;
  readonly findLiveFamilies: FindLiveFamilies;
  readonly removeAll: RemoveExecutions;
  readonly share: Share;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
}

const MAX_EXECUTIONS = 500;

/** Time for which an execution that cannot be deleted yet is skipped. */
const POSTPONE_MS = 10 * 60_000;

/**
 * Deletes executions whose time is over, with their data. What has something left to do after its end stays until that
 * is done; what was called, or calls, stays while anything of its chain of calls still runs, since that may use its
 * files.
 * @returns whether there may be more.
 */
export const createPurgeExpired = ({ findExpired, findLiveFamilies, removeAll, share, apply, clock }: PurgePorts) => {
  const takeMine = createTakeMine<Expired>({ share, idOf, dueOf: ({ expireAt }) => expireAt });
  return async (): Promise<boolean> => {
    const now = clock();
    const page = pageOf(share, MAX_EXECUTIONS);
    const found = await findExpired(new Date(now), page);
    const expired = takeMine(found);
    if (expired.length === 0) return false;
    const live = await findLiveFamilies([...new Set(expired.map(rootOf))]);
    const mayGo = (one: Expired): boolean => !hasPendingActions(one) && !live.has(rootOf(one));
    await removeAll(expired.filter(mayGo).map(({ _id }) => _id));
    const postponed = expireRecordWrite(new Date(now + POSTPONE_MS));
    await Promise.all(expired.filter((one) => !mayGo(one)).map(({ _id }) => apply(_id, postponed)));
    return found.length === page;
  };
};

const MAX_ROWS = 200;

/**
 * Deletes chunks and segments that were written for an execution which does not exist: of starts that failed after
 * their input was stored, of runners that wrote after a deletion. Each row is checked once, a day after it was
 * written.
 * @returns whether there may be more.
 */
export const createReviewDueRows =
  (reviews: readonly ReviewRows[], share: Share, clock: Clock) => async (): Promise<boolean> => {
    if (!share.isMine('review-rows')) return false;
    const counts = await Promise.all(reviews.map((review) => review(new Date(clock()), MAX_ROWS)));
    return counts.some((count) => count === MAX_ROWS);
  };
