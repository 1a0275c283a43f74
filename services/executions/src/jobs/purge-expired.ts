import { createTakeMine } from '@weft/service-kit/replicas';
import { expireRecordWrite } from '../domain/state/free-writes';
import type { ApplyWrite, Clock } from '../domain/state/ports';
import {
  hasPendingHooks,
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
 * Deletes expired executions with their data. Executions with pending completion hooks stay until those are done;
 * executions in a call chain stay while any of the chain runs, since it may use their files.
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
    const mayGo = (one: Expired): boolean => !hasPendingHooks(one) && !live.has(rootOf(one));
    await removeAll(expired.filter(mayGo).map(({ _id }) => _id));
    const postponed = expireRecordWrite(new Date(now + POSTPONE_MS));
    await Promise.all(expired.filter((one) => !mayGo(one)).map(({ _id }) => apply(_id, postponed)));
    return found.length === page;
  };
};

const MAX_ROWS = 200;

/**
 * Deletes chunks and segments without an execution: of starts that failed after their input was stored, of runners that
 * wrote after a deletion. Each row is checked once, a day after it was written.
 * @returns whether there may be more.
 */
export const createReviewDueRows =
  (reviews: readonly ReviewRows[], share: Share, clock: Clock) => async (): Promise<boolean> => {
    if (!share.isMine('review-rows')) return false;
    const counts = await Promise.all(reviews.map((review) => review(new Date(clock()), MAX_ROWS)));
    return counts.some((count) => count === MAX_ROWS);
  };
