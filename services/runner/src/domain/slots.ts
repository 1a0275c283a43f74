/** Places for executions of one runner. */
export interface Slots {
  readonly free: () => number;
  readonly take: () => void;
  readonly give: () => void;
  /** Takes a place as soon as there is one; those who ask first are first, and before anything new. */
  readonly takeWhenFree: () => Promise<void>;
  /** Resolves when at least one is free, or when `close` was called. */
  readonly whenFree: () => Promise<void>;
  /** Lets everybody go who waits. */
  readonly close: () => void;
}

/** Counts places. More may be taken than there are, when one message brings several executions; none is waited for then. */
export const createSlots = (count: number): Slots => {
  let taken = 0;
  let isClosed = false;
  let waiting: (() => void)[] = [];
  const returning: (() => void)[] = [];
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
    give: () => {
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
    whenFree: () => (isClosed || taken < count ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () => {
      isClosed = true;
      letGo();
    },
  };
};
