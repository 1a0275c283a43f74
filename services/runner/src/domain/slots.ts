/** Places for executions of one runner. */
export interface Slots {
  readonly free: () => number;
  readonly take: () => void;
  /** Takes at most so many places of those that are free. @returns how many */
  readonly takeFree: (most: number) => number;
  readonly give: () => void;
  /** Takes a place as soon as there is one; those who ask first are first, and before anything new. */
  readonly takeWhenFree: () => Promise<void>;
  /** Resolves when at least one is free, or when `close` was called. */
  readonly whenFree: () => Promise<void>;
  /** Waits at most so long for a free place. @returns whether there is one */
  readonly freeWithin: (ms: number) => Promise<boolean>;
  /** Lets everybody go who waits. */
  readonly close: () => void;
}

/** Counts places. More may be taken than there are, by what goes on without having asked; nothing new gets one then. */
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
