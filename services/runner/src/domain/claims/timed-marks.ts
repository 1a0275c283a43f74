import { createBoundedCache } from '@weft/service-kit/caching';

/** Marks on keys, each for a fixed time from when it was last made. */
export interface TimedMarks {
  readonly mark: (key: string) => void;
  readonly has: (key: string) => boolean;
}

/**
 * @param clock milliseconds that only grow
 * @param ms for which a mark lasts
 * @param maxEntries maximum number of keys with marks
 */
export const createTimedMarks = (clock: () => number, ms: number, maxEntries: number): TimedMarks => {
  const until = createBoundedCache<string, number>({ maxEntries });
  return {
    mark: (key) => until.set(key, clock() + ms),
    has: (key) => (until.get(key) ?? Number.NEGATIVE_INFINITY) > clock(),
  };
};
