/** A jump of the store's clock above this many milliseconds is accepted only if later readings agree. */
const MAX_JUMP_MS = 60_000;

/** Milliseconds for which readings must agree about a jump. */
const CONFIRM_MS = 60_000;

/** Maximum difference of readings that agree, in milliseconds. */
const AGREEMENT_MS = 5_000;

/**
 * The clock of the store, by which anything irreversible becomes due: all replicas share it, and no wall clock of a
 * process matters. Between two readings it advances with the monotonic clock of this process.
 */
export interface StoreClock {
  /** Notes a reading of the store's time, and the monotonic time at which it was read. */
  readonly note: (storeMs: number, atMs: number) => void;
  /** Unix milliseconds. */
  readonly now: () => number;
}

interface Jump {
  readonly offsetMs: number;
  readonly since: number;
}

/** @param monotonic monotonic milliseconds @param wall used before the first reading */
export const createStoreClock = (
  monotonic: () => number = () => performance.now(),
  wall: () => number = Date.now,
): StoreClock => {
  let offsetMs: number | undefined;
  let jump: Jump | undefined;
  return {
    note: (storeMs, atMs) => {
      const read = storeMs - atMs;
      if (offsetMs === undefined || Math.abs(read - offsetMs) <= MAX_JUMP_MS) {
        offsetMs = read;
        jump = undefined;
        return;
      }
      if (jump === undefined || Math.abs(read - jump.offsetMs) > AGREEMENT_MS) jump = { offsetMs: read, since: atMs };
      if (atMs - jump.since < CONFIRM_MS) return;
      offsetMs = read;
      jump = undefined;
    },
    now: () => (offsetMs === undefined ? wall() : Math.round(offsetMs + monotonic())),
  };
};
