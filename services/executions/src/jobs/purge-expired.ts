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
import type { TakePurges } from './purge-budget';
import { idOf, pageOf } from './sweep';

/** Ports of purging. */
export interface PurgePorts {
  readonly findExpired: FindExpired;
  readonly findLiveFamilies: FindLiveFamilies;
  readonly removeAll: RemoveExecutions;
  readonly share: Share;
  readonly apply: ApplyWrite;
  readonly takePurges: TakePurges;
  readonly clock: Clock;
}

const MAX_EXECUTIONS = 500;

/** Time for which an execution that cannot be deleted yet is skipped. */
const POSTPONE_MS = 10 * 60_000;

/** Time for which an execution beyond the budget is skipped. */
const BUDGET_POSTPONE_MS = 3_600_000;

/** Records kept for less than this are not kept at all, by the settings of their workflow. */
const MIN_RETENTION_MS = 2 * 3_600_000;

/** True if only the end of its retention makes an execution due: it was neither deleted nor displaced by newer ones. */
const isByRetention = ({ deletedAt, expireAt, finishedAt }: Expired): boolean =>
  deletedAt === undefined &&
  expireAt !== undefined &&
  finishedAt !== undefined &&
  expireAt.getTime() - finishedAt.getTime() >= MIN_RETENTION_MS;

/**
 * Deletes expired executions with their data, within the budget for those whose retention has ended. Executions with
 * pending completion hooks stay until those are done;
 * executions in a call chain stay while any of the chain runs, since it may use their files.
 * @returns whether there may be more.
 */
export const createPurgeExpired = ({
  findExpired,
  findLiveFamilies,
  removeAll,
  share,
  apply,
  takePurges,
  clock,
}: PurgePorts) => {
  const takeMine = createTakeMine<Expired>({ share, idOf, dueOf: ({ expireAt }) => expireAt });
  return async (): Promise<boolean> => {
    const now = clock();
    const page = pageOf(share, MAX_EXECUTIONS);
    const found = await findExpired(new Date(now), page);
    const expired = takeMine(found);
    if (expired.length === 0) return false;
    const live = await findLiveFamilies([...new Set(expired.map(rootOf))]);
    const mayGo = (one: Expired): boolean => !hasPendingHooks(one) && !live.has(rootOf(one));
    const due = expired.filter(mayGo);
    const byRetention = due.filter(isByRetention);
    const beyond = new Set(byRetention.slice(await takePurges(byRetention.length)));
    await removeAll(due.filter((one) => !beyond.has(one)).map(({ _id }) => _id));
    const postponed = expireRecordWrite(new Date(now + POSTPONE_MS));
    const later = expireRecordWrite(new Date(now + BUDGET_POSTPONE_MS));
    await Promise.all([
      ...expired.filter((one) => !mayGo(one)).map(({ _id }) => apply(_id, postponed)),
      ...[...beyond].map(({ _id }) => apply(_id, later)),
    ]);
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
