import { ServiceError } from '@weft/service-kit/errors';
import { createShares } from '@weft/service-kit/in-flight';

/** Requests of one user to one gateway that are answered at the same time: calls may wait for runs. */
export const MAX_OPEN_CALLS = 20;

/** Counts unanswered requests by user. */
export const createOpenCalls = () => {
  const open = createShares(Number.POSITIVE_INFINITY, MAX_OPEN_CALLS);
  return {
    /** @returns a function that ends the count @throws ServiceError over the limit */
    begin: (userId: string): (() => void) => {
      if (!open.take(userId, 1))
        throw new ServiceError({
          reason: 'TOO_MANY_WAITING',
          kind: 'limited',
          message: `${MAX_OPEN_CALLS} calls of this user are unanswered. Wait for one of them.`,
          retryAfterSeconds: 1,
        });
      return () => open.give(userId, 1);
    },
  };
};
