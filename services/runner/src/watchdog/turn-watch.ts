/** One look of the watchdog at the thread. */
export interface ThreadReading {
  /** Slot of the run that has the thread; 0: none. */
  readonly holder: number;
  readonly turn: number;
  /** Milliseconds of CPU that the thread has had. */
  readonly threadMs: () => number;
  /** Milliseconds of CPU that the threads which help V8 collect garbage have had. */
  readonly collectorsMs: () => number;
}

/** Counts for how long the same turn lasts. */
export interface TurnWatch {
  /** Records a reading. @returns milliseconds that count of the current turn */
  readonly observe: (reading: ThreadReading) => number;
}

/** Share of the thread's CPU from which the collectors' shows that the thread, too, collects garbage. */
const COLLECTING_PART = 1 / 20;
/** Part that counts of the time in which garbage is collected. */
const COLLECTED_WEIGHT = 1 / 4;

/**
 * A turn is measured in CPU time: a process that is suspended, throttled or waits for a processor gets none, and nor
 * does a thread that waits for something. Garbage of all runs is collected in the turn of one, so that time counts a
 * quarter.
 */
export const createTurnWatch = (): TurnWatch => {
  let turn = 0;
  let last: { readonly threadMs: number; readonly collectorsMs: number } | undefined;
  let countedMs = 0;
  return {
    observe: (reading) => {
      if (reading.holder === 0 || reading.turn !== turn || last === undefined) {
        turn = reading.turn;
        countedMs = 0;
        // Most turns are over at the next reading: the times are read for those that are not.
        last =
          reading.holder === 0 ? undefined : { threadMs: reading.threadMs(), collectorsMs: reading.collectorsMs() };
        return 0;
      }
      const now = { threadMs: reading.threadMs(), collectorsMs: reading.collectorsMs() };
      const usedMs = now.threadMs - last.threadMs;
      const isCollecting = now.collectorsMs - last.collectorsMs > usedMs * COLLECTING_PART;
      countedMs += isCollecting ? usedMs * COLLECTED_WEIGHT : usedMs;
      last = now;
      return countedMs;
    },
  };
};
