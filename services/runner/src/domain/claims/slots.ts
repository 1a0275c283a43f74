import { within } from '@weft/service-kit/time-limit';
import type { Held } from './held-executions';

/** Slots that new executions may have. */
export interface FreeSlots {
  readonly free: () => number;
  /** Takes at most so many slots of those that are free. @returns how many */
  readonly takeFree: (most: number) => number;
  readonly release: () => void;
  /** Resolves when at least one is free, or when `close` was called. */
  readonly whenFree: () => Promise<void>;
  /** Waits at most so long for a free slot. @returns whether there is one */
  readonly freeWithin: (ms: number) => Promise<boolean>;
  /** Ends all waits. */
  readonly close: () => void;
}

/** Slots for executions of one runner. */
export interface Slots extends FreeSlots {
  readonly take: () => void;
  /** Takes a slot as soon as one is free, in the order of the requests, and before anything new. */
  readonly takeWhenFree: () => Promise<void>;
  /** The same slots for executions that may have so many, and beyond that leave as many free for others. */
  readonly leaving: (count: number) => FreeSlots;
}

/** Counts slots. More may be taken than exist, by runs that continue without asking; nothing new gets one then. */
export const createSlots = (count: number): Slots => {
  let taken = 0;
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const returning: (() => void)[] = [];
  const free = (): number => Math.max(0, count - taken);
  const letGo = (): void => {
    const ready = waiting;
    waiting = [];
    for (const resolve of ready) resolve();
  };
  const release = (): void => {
    taken -= 1;
    if (taken >= count) return;
    const next = returning.shift();
    if (next === undefined) return letGo();
    taken += 1;
    next();
  };
  /** @param share the part of the free ones that may be had, if so many were taken here and not released */
  const sharing = (share: (free: number, own: number) => number): FreeSlots => {
    let own = 0;
    const freeNow = (): number => share(free(), own);
    const whenFree = async (): Promise<void> => {
      while (!isClosed && freeNow() === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    };
    return {
      free: freeNow,
      takeFree: (most) => {
        const given = Math.max(0, Math.min(most, freeNow()));
        taken += given;
        own += given;
        return given;
      },
      release: () => {
        own -= 1;
        release();
      },
      whenFree,
      freeWithin: async (ms) => {
        if (ms > 0) await within(whenFree(), ms);
        return !isClosed && freeNow() > 0;
      },
      close: () => {
        isClosed = true;
        letGo();
      },
    };
  };
  return {
    ...sharing((all) => all),
    take: () => {
      taken += 1;
    },
    takeWhenFree: () => {
      if (taken >= count) return new Promise((resolve) => returning.push(resolve));
      taken += 1;
      return Promise.resolve();
    },
    leaving: (left) => sharing((all, own) => Math.min(all, Math.max(0, left - own, all - left))),
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
