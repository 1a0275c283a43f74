import { within } from '@weft/service-kit/time-limit';
import type { Held } from '../held/held-executions';

/** Slots for new executions. */
export interface FreeSlots {
  readonly free: () => number;
  /** Takes up to a number of free slots. @returns the number taken */
  readonly takeFree: (most: number) => number;
  readonly release: () => void;
  /** Resolves when a slot is free, or `close` was called. */
  readonly whenFree: () => Promise<void>;
  /** Waits for a free slot, up to a time. @returns whether there is one */
  readonly freeWithin: (ms: number) => Promise<boolean>;
  /** Ends all waits. */
  readonly close: () => void;
}

/** Slots for the executions of one runner. */
export interface Slots extends FreeSlots {
  readonly take: () => void;
  /** Takes a slot as soon as one is free, in order of the requests, before new executions. */
  readonly takeWhenFree: () => Promise<void>;
  /** A view of the same slots that may use up to this number, and beyond that must leave as many free for others. */
  readonly leaving: (count: number) => FreeSlots;
}

/** Counts slots. Runs that continue may exceed the number of slots; new ones then get none. */
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
  /** @param share the part of the free slots available if this number is in use here */
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
 * Lets a child run in the slot of its caller. If the caller is cancelled, the service also cancels the child. If the
 * caller ends otherwise, the child continues and counts as a separate run.
 * @returns a function to call when the child has halted.
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
