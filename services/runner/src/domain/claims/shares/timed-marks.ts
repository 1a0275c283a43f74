import { createBoundedCache } from '@weft/service-kit/caching';

/** Keys that are marked for a fixed time after their last mark. */
export interface TimedMarks {
  readonly mark: (key: string) => void;
  readonly has: (key: string) => boolean;
}

/**
 * @param clock monotonic milliseconds
 * @param ms duration of a mark
 * @param maxEntries maximum number of marked keys
 */
export const createTimedMarks = (clock: () => number, ms: number, maxEntries: number): TimedMarks => {
  const until = createBoundedCache<string, number>({ maxEntries });
  return {
    mark: (key) => until.set(key, clock() + ms),
    has: (key) => (until.get(key) ?? Number.NEGATIVE_INFINITY) > clock(),
  };
};
