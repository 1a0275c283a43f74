import { elapse } from '../claims/retry-while-held';
import type { Slots } from '../claims/slots';

/** Runs that wait in this process. A sleeping run holds its claim, but no slot. */
export interface InProcessWaits {
  /** Runs that wait now. */
  readonly sleeping: () => number;
  /**
   * Sleeps until a time, if that is soon and there is room. What sleeps for a while is stored before by `save`, so that
   * nothing it did is done again if this process dies meanwhile.
   * @param at Unix milliseconds.
   * @returns false if the run did not sleep to the end: it takes too long, too many sleep, the signal fired or the
   * process stops.
   */
  readonly sleep: (at: number, signal: AbortSignal, save: () => Promise<void>) => Promise<boolean>;
}

/** Options of waiting in this process. */
export interface InProcessWaitsOptions {
  readonly slots: Pick<Slots, 'release' | 'take' | 'takeWhenFree'>;
  /** Runs that may sleep at once. */
  readonly most: number;
  /** A wait of this many milliseconds or more is not for this process. */
  readonly belowMs: number;
  /** Fires when the process stops: all wake at once, and continue elsewhere. */
  readonly stopping: AbortSignal;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Shorter sleeps are not worth a write: what a run did outside is stored already. */
const SAVE_FROM_MS = 1_000;

/** InProcessWaits of one runner. */
export const createInProcessWaits = ({
  slots,
  most,
  belowMs,
  stopping,
  now,
}: InProcessWaitsOptions): InProcessWaits => {
  let sleeping = 0;
  return {
    sleeping: () => sleeping,
    sleep: async (at, signal, save) => {
      const ms = at - now();
      if (ms >= belowMs || sleeping >= most || stopping.aborted) return false;
      sleeping += 1;
      try {
        if (ms >= SAVE_FROM_MS) await save();
        slots.release();
        // A timer may fire a moment early, and no wait may be seen to be too short.
        do await elapse(Math.max(0, at - now()), [signal, stopping]);
        while (now() < at && !signal.aborted && !stopping.aborted);
      } finally {
        sleeping -= 1;
      }
      const isInterrupted = now() < at && (signal.aborted || stopping.aborted);
      if (isInterrupted) slots.take();
      else await slots.takeWhenFree();
      return !isInterrupted && !signal.aborted;
    },
  };
};
