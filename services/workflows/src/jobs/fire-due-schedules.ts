import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Fired, FireSchedules } from '../domain/fire-schedules';

/** How the loop turns. */
export interface FireDueSchedulesOptions {
  readonly fire: FireSchedules;
  /** Milliseconds between two looks for due schedules. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Most milliseconds between two tries while nothing can be started at all. */
const MAX_PAUSE_MS = 5_000;

/**
 * Starts due schedules in the background, each at its time: the loop looks one turn ahead and is woken for what it saw.
 */
export const fireDueSchedules = ({ fire, everyMs, logger }: FireDueSchedulesOptions): Loop => {
  let alarm: NodeJS.Timeout | undefined;
  let failures = 0;
  let pausedUntil = 0;

  const fireOrPause = async (): Promise<Fired> => {
    if (performance.now() < pausedUntil) return { hasMore: false, nextAt: undefined };
    try {
      const fired = await fire(new Date(), everyMs);
      failures = 0;
      return fired;
    } catch (error) {
      failures += 1;
      // Replicas that failed together do not come back together.
      pausedUntil =
        performance.now() + Math.min(MAX_PAUSE_MS, everyMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
      throw error;
    }
  };
  const loop = startLoop({
    name: 'fire-due-schedules',
    everyMs,
    logger,
    turn: async () => {
      clearTimeout(alarm);
      const { hasMore, nextAt } = await fireOrPause();
      if (nextAt !== undefined) alarm = setTimeout(() => loop.wake(), Math.max(1, nextAt.getTime() - Date.now()));
      return hasMore;
    },
  });
  return {
    ...loop,
    stop: async () => {
      await loop.stop();
      clearTimeout(alarm);
    },
  };
};
