import { elapse } from '../claims/held/retry-while-held';
import type { Slots } from '../claims/shares/slots';

/** Runs that wait in this process. They hold their claims, but no slots. */
export interface InProcessWaits {
  /** Number of waiting runs. */
  readonly sleeping: () => number;
  /**
   * Sleeps until a time, if that is soon and there is room. Longer sleeps are stored first by `save`, so that a crash
   * of this process repeats no work.
   * @param at Unix milliseconds.
   * @returns false if the run did not sleep to the end: the wait is too long, too many runs wait, the signal fired or
   * the process stops.
   */
  readonly sleep: (at: number, signal: AbortSignal, save: () => Promise<void>) => Promise<boolean>;
}

/** Options of waiting in this process. */
export interface InProcessWaitsOptions {
  readonly slots: Pick<Slots, 'release' | 'take' | 'takeWhenFree'>;
  /** Maximum number of waiting runs. */
  readonly most: number;
  /** Waits of this many milliseconds or more are not held in this process. */
  readonly belowMs: number;
  /** Fires when the process stops: all waits end, and the runs continue elsewhere. */
  readonly stopping: AbortSignal;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Monotonic milliseconds: a wall clock that is set meanwhile changes no wait. */
  readonly clock: () => number;
}

/** Shorter sleeps are not worth a write: side effects of the run are stored already. */
const SAVE_FROM_MS = 1_000;

export const createInProcessWaits = ({
  slots,
  most,
  belowMs,
  stopping,
  now,
  clock,
}: InProcessWaitsOptions): InProcessWaits => {
  let sleeping = 0;
  return {
    sleeping: () => sleeping,
    sleep: async (at, signal, save) => {
      const ms = at - now();
      const until = clock() + ms;
      if (ms >= belowMs || sleeping >= most || stopping.aborted) return false;
      sleeping += 1;
      try {
        if (ms >= SAVE_FROM_MS) await save();
        slots.release();
        // A timer may fire slightly early, and a wait must never be too short.
        do await elapse(Math.max(0, until - clock()), [signal, stopping]);
        while (clock() < until && !signal.aborted && !stopping.aborted);
      } finally {
        sleeping -= 1;
      }
      const isInterrupted = clock() < until && (signal.aborted || stopping.aborted);
      if (isInterrupted) slots.take();
      else await slots.takeWhenFree();
      return !isInterrupted && !signal.aborted;
    },
  };
};
