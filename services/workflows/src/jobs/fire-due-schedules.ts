import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { FireSchedules } from '../domain/fire-schedules';

/** How the loop turns. */
export interface FireDueSchedulesOptions {
  readonly fire: FireSchedules;
  /** Milliseconds between two looks for due schedules. */
  readonly everyMs: number;
  readonly logger: Logger;
}

/** Starts due schedules in the background, each at its time: the loop looks one turn ahead and is woken for what it saw. */
export const fireDueSchedules = ({ fire, everyMs, logger }: FireDueSchedulesOptions): Loop => {
  let alarm: NodeJS.Timeout | undefined;
  const loop = startLoop({
    name: 'fire-due-schedules',
    everyMs,
    logger,
    turn: async () => {
      clearTimeout(alarm);
      const { hasMore, nextAt } = await fire(new Date(), everyMs);
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
