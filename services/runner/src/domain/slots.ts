/** Places for executions of one runner. */
export interface Slots {
  readonly free: () => number;
  readonly take: () => void;
  readonly give: () => void;
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
      if (taken < count) letGo();
    },
    whenFree: () => (isClosed || taken < count ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    close: () => {
      isClosed = true;
      letGo();
    },
  };
};
