import { QueueFull } from './errors';
import type { Clock } from './ports';

const COUNT_EVERY_MS = 1_000;

/**
 * Refuses starts while the instance has `limit` queued executions. Counts at most once a second, and only while starts
 * come; a count that fails refuses nothing, since the insert itself will fail.
 * @throws QueueFull
 */
export const createQueueLimit = (countQueued: (upTo: number) => Promise<number>, limit: number, clock: Clock): (() => Promise<void>) => {
  let counted = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;

  const count = async (): Promise<void> => {
    try {
      counted = await countQueued(limit + 1);
    } catch {
      counted = 0;
    }
    countedAt = clock();
    counting = undefined;
  };
  return async () => {
    if (Math.abs(clock() - countedAt) >= COUNT_EVERY_MS) counting ??= count();
    if (countedAt === Number.NEGATIVE_INFINITY || counted >= limit) await counting;
    if (counted >= limit) throw new QueueFull(`More than ${limit} executions are queued.`);
  };
};
