import { ServiceError } from '@weft/service-kit/errors';

/** Requests of one user to one gateway that are answered at the same time: calls may wait for runs. */
export const MAX_OPEN_CALLS = 20;

/** Counts unanswered requests by user. */
export const createOpenCalls = () => {
  const open = new Map<string, number>();
  return {
    /** @returns a function that ends the count @throws ServiceError over the limit */
    begin: (userId: string): (() => void) => {
      const count = open.get(userId) ?? 0;
      if (count >= MAX_OPEN_CALLS)
        throw new ServiceError({
          reason: 'TOO_MANY_WAITING',
          kind: 'limited',
          message: `${MAX_OPEN_CALLS} calls of this user are unanswered. Wait for one of them.`,
          retryAfterSeconds: 1,
        });
      open.set(userId, count + 1);
      return () => {
        const left = (open.get(userId) ?? 1) - 1;
        if (left > 0) open.set(userId, left);
        else open.delete(userId);
      };
    },
  };
};
