import { createBoundedCache } from '@weft/service-kit/caching';

/** Thread time that the runs of each owner have used in long pieces. */
export interface ThreadShares {
  /** A run of the owner begins. */
  readonly began: (ownerKey: string) => void;
  /**
   * A run of the owner has used the thread for a number of milliseconds without yielding.
   * @returns true if its owner uses too much of the thread at the expense of others
   */
  readonly had: (ownerKey: string, ms: number) => boolean;
  /** Milliseconds until the owner is back within its share, or has the thread to itself. */
  readonly restMs: (ownerKey: string) => number;
}

/** Shorter pieces do not delay other owners. */
const LONG_TURN_MS = 25;
/** Share of the thread that one owner may use in long pieces. */
const PART = 0.2;
/** Time for which it may use the whole thread. */
const BURST_MS = 2_000;
/** Owners who had a run here this recently count as present. */
const PRESENT_MS = 10_000;
const MAX_OWNERS = 1_000;

interface Seen {
  readonly ownerKey: string;
  readonly at: number;
}

interface Share {
  readonly ms: number;
  readonly at: number;
}

/** @param clock monotonic milliseconds */
export const createThreadShares = (clock: () => number): ThreadShares => {
  const shares = createBoundedCache<string, Share>({ maxEntries: MAX_OWNERS });
  /** The most recent owner, and the previous different one. */
  let last: Seen | undefined;
  let other: Seen | undefined;
  const hasOthers = (ownerKey: string): boolean => {
    const seen = last?.ownerKey === ownerKey ? other : last;
    return seen !== undefined && clock() - seen.at < PRESENT_MS;
  };
  /** The part of the owner's past thread time that still counts. */
  const levelOf = (ownerKey: string): number => {
    const share = shares.get(ownerKey);
    return share === undefined ? 0 : Math.max(0, share.ms - (clock() - share.at) * PART);
  };
  const restMs = (ownerKey: string): number =>
    hasOthers(ownerKey) ? Math.max(0, levelOf(ownerKey) - BURST_MS) / PART : 0;
  return {
    began: (ownerKey) => {
      if (last?.ownerKey !== ownerKey) other = last;
      last = { ownerKey, at: clock() };
    },
    had: (ownerKey, ms) => {
      if (ms < LONG_TURN_MS) return false;
      shares.set(ownerKey, { ms: levelOf(ownerKey) + ms, at: clock() });
      return restMs(ownerKey) > 0;
    },
    restMs,
  };
};
