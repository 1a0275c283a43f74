import type { Held } from './held-executions';

/** Slots for executions of one runner. */
export interface Slots {
  readonly free: () => number;
  readonly take: () => void;
  /** Takes at most so many slots of those that are free. @returns how many */
  readonly takeFree: (most: number) => number;
  readonly release: () => void;
  /** Takes a slot as soon as one is free, in the order of the requests, and before anything new. */
  readonly takeWhenFree: () => Promise<void>;
  /** Resolves when at least one is free, or when `close` was called. */
  readonly whenFree: () => Promise<void>;
  /** Waits at most so long for a free slot. @returns whether there is one */
  readonly freeWithin: (ms: number) => Promise<boolean>;
  /** Ends all waits. */
  readonly close: () => void;
}

/** Counts slots. More may be taken than exist, by runs that continue without asking; nothing new gets one then. */
export const createSlots = (count: number): Slots => {
  let taken = 0;
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const returning: (() => void)[] = [];
  const whenFree = (): Promise<void> =>
    isClosed || taken < count ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
  const letGo = (): void => {
    const ready = waiting;
    waiting = [];
    for (const resolve of ready) resolve();
  };
  return {
    free: () => Math.max(0, count - taken),
    take: () => {
      taken += 1;
    },
    takeFree: (most) => {
      const given = Math.max(0, Math.min(most, count - taken));
      taken += given;
      return given;
    },
    release: () => {
      taken -= 1;
      if (taken >= count) return;
      const next = returning.shift();
      if (next === undefined) return letGo();
      taken += 1;
      next();
    },
    takeWhenFree: () => {
      if (taken >= count) return new Promise((resolve) => returning.push(resolve));
      taken += 1;
      return Promise.resolve();
    },
    whenFree,
    freeWithin: async (ms) => {
      if (ms <= 0) return !isClosed && taken < count;
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        whenFree(),
        new Promise((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
      ]);
      clearTimeout(timer);
      return !isClosed && taken < count;
    },
    close: () => {
      isClosed = true;
      letGo();
    },
  };
};

/**
 * Lets a child run in the slot of its caller. If the caller is cancelled, so is the child: the service cancels it as
 * well. If the caller is gone in another way, the child continues and counts as a run of its own.
 * @returns what to call when the child has halted.
 */
export const shareSlot = (caller: Held, child: Held, slots: Pick<Slots, 'take' | 'release'>): (() => void) => {
  let hasOwnSlot = false;
  const onAbort = (): void => {
    if (caller.signal.reason === 'cancelled') {
      child.abort('cancelled');
      return;
    }
    slots.take();
    hasOwnSlot = true;
  };
  if (caller.signal.aborted) onAbort();
  else caller.signal.addEventListener('abort', onAbort, { once: true });
  return () => {
    caller.signal.removeEventListener('abort', onAbort);
    if (hasOwnSlot) slots.release();
  };
};
