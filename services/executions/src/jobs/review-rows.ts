import type { Clock } from '../domain/ports';
import type { ReviewRows } from '../domain/review-rows';
import type { Share } from '../domain/sweep-ports';

const MOST = 200;

/**
 * Deletes chunks and segments that were written for an execution which does not exist: of starts that failed after
 * their input was stored, of runners that wrote after a deletion. Each row is checked once, a day after it was
 * written.
 * @returns whether there may be more.
 */
export const createReviewDueRows =
  (reviews: readonly ReviewRows[], share: Share, clock: Clock) => async (): Promise<boolean> => {
    if (!share.isMine('review-rows')) return false;
    const counts = await Promise.all(reviews.map((review) => review(new Date(clock()), MOST)));
    return counts.some((count) => count === MOST);
  };
