import { rateLimitExceeded, type CountedUser } from '@weft/service-kit/auth';
import type { ServerResponse } from 'node:http';

/**
 * Tells the caller what is left of its window, and refuses what is over it. X-RateLimit-Reset is in Unix seconds. A
 * user without a limit gets no such headers: there is no number to give.
 * @throws RateLimitExceeded
 */
export const applyRateLimit = (response: ServerResponse, user: CountedUser): void => {
  if (user.limit > 0) {
    response.setHeader('x-ratelimit-limit', user.limit);
    response.setHeader('x-ratelimit-remaining', Math.max(0, user.remaining));
    response.setHeader('x-ratelimit-reset', Math.ceil(user.resetAt.getTime() / 1000));
  }
  if (!user.isGranted) throw rateLimitExceeded(user);
};
