import type { Loop, LoopOptions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Fired, FireSchedules } from '../domain/schedule/fire-schedules';

export interface FiringDeps {
  readonly fire: FireSchedules;
  /** Poll interval for due schedules. */
  readonly everyMs: number;
  readonly startLoop: (options: LoopOptions) => Loop;
  readonly logger: Logger;
  /** Unix milliseconds by the clock of the store: a replica with a wrong clock would move schedules that it fires. */
  readonly clock: () => number;
}

/** Maximum milliseconds between two attempts while nothing can be started at all. */
const MAX_BACK_OFF_MS = 5_000;

/** Starts due schedules in the background, each on time: a tick reads one interval ahead and sets a timer. */
export const startFiringSchedules = ({ fire, everyMs, startLoop, logger, clock }: FiringDeps): Loop => {
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let pausedUntil = 0;

  const fireOrPause = async (): Promise<Fired> => {
    if (performance.now() < pausedUntil) return { hasMore: false, nextAt: undefined };
    try {
      const fired = await fire(new Date(clock()), everyMs);
      failures = 0;
      return fired;
    } catch (error) {
      failures += 1;
      // Random, so that replicas that failed together do not retry together.
      pausedUntil =
        performance.now() +
        Math.min(MAX_BACK_OFF_MS, everyMs * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2);
      throw error;
    }
  };
  const loop = startLoop({
    name: 'fire-due-schedules',
    everyMs,
    logger,
    tick: async () => {
      clearTimeout(timer);
      const { hasMore, nextAt } = await fireOrPause();
      if (nextAt !== undefined) timer = setTimeout(() => loop.wake(), Math.max(1, nextAt.getTime() - clock()));
      return hasMore;
    },
  });
  return {
    ...loop,
    stop: async () => {
      await loop.stop();
      clearTimeout(timer);
    },
  };
};
