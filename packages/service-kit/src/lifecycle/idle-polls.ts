import type { Logger } from '../logging';
import { startLoop, type Loop, type LoopOptions } from './loop';

/** Polls that pause while there is nothing to find. */
export interface IdlePolls {
  /** Starts a loop that pauses with the others. */
  readonly startLoop: (options: LoopOptions) => Loop;
  /** The loop that decides about pauses. Stop it with the others. */
  readonly watch: Loop;
}

export interface IdlePollsOptions {
  /** Number of events after which a poll may find something new. It only grows. */
  readonly countEvents: () => number;
  /** False while other processes may cause such events, or while this process would not learn of them. */
  readonly learnsAll: () => boolean;
  /**
   * Returns the earliest time before `until` at which a poll finds something, in the past if it would find something
   * now; undefined if there is none.
   */
  readonly findNextDue: (until: Date) => Promise<Date | undefined>;
  readonly logger: Logger;
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly monotonic?: () => number;
}

/** Interval at which the watch decides, unless a loop has a shorter one. */
const WATCH_MS = 1_000;

/** Milliseconds without events before a pause: by then, work begun by an event has stored whatever it leaves due. */
const CALM_MS = 10_000;

/** Maximum pause. After each pause every poll runs once, whatever was found. */
const MAX_PAUSE_MS = 60_000;

interface Pause {
  readonly events: number;
  readonly dueAt: number;
  readonly endsAt: number;
}

/**
 * Lets loops poll at their intervals while there are events, and pause otherwise. The end of a pause is noticed within
 * the shortest interval, and all loops poll then, so nothing is found later than without pauses.
 */
export const createIdlePolls = ({
  countEvents,
  learnsAll,
  findNextDue,
  logger,
  clock,
  monotonic = () => performance.now(),
}: IdlePollsOptions): IdlePolls => {
  const loops = new Map<string, Loop>();
  /** Loops that ran since the last event or pause. */
  const turned = new Set<string>();
  let everyMs = WATCH_MS;
  let turns = 0;
  let running = 0;
  let events = countEvents();
  let calmSince = monotonic();
  let pause: Pause | undefined;

  const isPaused = (): boolean =>
    pause !== undefined &&
    pause.events === countEvents() &&
    learnsAll() &&
    clock() < pause.dueAt &&
    monotonic() < pause.endsAt;

  const beginCalm = (): void => {
    calmSince = monotonic();
    turned.clear();
  };

  const tick = async (): Promise<void> => {
    if (isPaused()) return;
    if (pause !== undefined) {
      pause = undefined;
      turned.clear();
      for (const loop of loops.values()) loop.wake();
      return;
    }
    if (events !== countEvents() || !learnsAll()) {
      events = countEvents();
      return beginCalm();
    }
    if (monotonic() - calmSince < CALM_MS || turned.size < loops.size || running > 0) return;
    const before = turns;
    const now = clock();
    const dueAt = (await findNextDue(new Date(now + MAX_PAUSE_MS)))?.getTime() ?? Number.POSITIVE_INFINITY;
    // A tick that ran meanwhile may have made something due after it was read.
    if (turns !== before || events !== countEvents()) return;
    if (dueAt <= now + WATCH_MS) return beginCalm();
    pause = { events, dueAt, endsAt: monotonic() + MAX_PAUSE_MS };
    // Their timers observe the pause.
    for (const loop of loops.values()) loop.wake();
  };

  const pauseMs = (): number => (pause === undefined ? 0 : Math.min(pause.endsAt - monotonic(), pause.dueAt - clock()));

  return {
    startLoop: (options) => {
      everyMs = Math.min(everyMs, options.everyMs);
      const loop = startLoop({
        ...options,
        pauseMs: () => Math.max(options.everyMs, pauseMs()),
        tick: async () => {
          if (isPaused()) return false;
          turns += 1;
          running += 1;
          try {
            return await options.tick();
          } finally {
            running -= 1;
            turned.add(options.name);
          }
        },
      });
      loops.set(options.name, loop);
      return loop;
    },
    watch: startLoop({ name: 'idle-polls', everyMs: WATCH_MS, pauseMs: () => everyMs, logger, tick }),
  };
};
