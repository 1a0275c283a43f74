import { createBoundedCache } from '@weft/service-kit/caching';

/** Time that the runs of each owner have had the thread of a process in long turns. */
export interface ThreadShares {
  /** A run of the owner begins. */
  readonly began: (ownerKey: string) => void;
  /**
   * A run of the owner has had the thread for so many milliseconds in one piece.
   * @returns true if its owner takes too much of the thread from other owners
   */
  readonly had: (ownerKey: string, ms: number) => boolean;
  /** Milliseconds until the owner has no more than it may have, or is alone. */
  readonly restMs: (ownerKey: string) => number;
}

/** Shorter turns come between those of others without harm. */
const LONG_TURN_MS = 25;
/** Part of the thread that one owner may have in long turns. */
const PART = 0.2;
/** For so long it may be all of it. */
const BURST_MS = 2_000;
/** Owners who had a run here so lately are there. */
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

/** @param clock milliseconds that only grow */
export const createThreadShares = (clock: () => number): ThreadShares => {
  const shares = createBoundedCache<string, Share>({ maxEntries: MAX_OWNERS });
  /** The owner who came last, and the one before who was another. */
  let last: Seen | undefined;
  let other: Seen | undefined;
  const hasOthers = (ownerKey: string): boolean => {
    const seen = last?.ownerKey === ownerKey ? other : last;
    return seen !== undefined && clock() - seen.at < PRESENT_MS;
  };
  /** What counts of the time that an owner has had. */
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
