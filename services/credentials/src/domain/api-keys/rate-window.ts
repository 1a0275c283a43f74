import { RateLimitExceeded } from '@weft/service-kit/errors';

/** Outcome of counting requests against the rate limit. */
export interface Allowance {
  /** Number of counted requests within the limit. */
  readonly granted: number;
  /** Requests per minute; 0: no limit. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** State of a window after requests were counted in it. */
export interface CountedWindow {
  /** Minutes since the epoch; a window is one such minute. */
  readonly minute: number;
  /** Requests counted in this minute, including these, within the limit or not. */
  readonly used: number;
}

/** Store of the windows, shared by all replicas. */
export interface RateWindowStore {
  /**
   * Counts requests in the window of `minute`, or in the next one if a replica with a faster clock has opened it. Every
   * request is counted exactly once, whichever replica counts it.
   */
  readonly count: (id: string, minute: number, requests: number) => Promise<CountedWindow>;
}

/** Counts requests of one holder. */
export type CountRequests = (holder: string, requests: number) => Promise<Allowance>;

const MINUTE_MS = 60_000;

/** Computes the allowance of the last `requests` counted in a window. */
export const allowanceOf = ({ minute, used }: CountedWindow, requests: number, limit: number): Allowance => ({
  granted: Math.max(0, Math.min(requests, limit - (used - requests))),
  limit,
  remaining: Math.max(0, limit - used),
  resetAt: new Date((minute + 1) * MINUTE_MS),
});

/**
 * The rate limit: grants `limit` requests per minute (`RATE_LIMIT_PER_MINUTE`) to each holder. With 0 everything is
 * granted and nothing is written.
 */
export const createCountRequests = (store: RateWindowStore, limit: number, clock: () => Date): CountRequests =>
  async function countRequests(holder, requests) {
    const minute = Math.floor(clock().getTime() / MINUTE_MS);
    if (limit === 0) return { granted: requests, limit, remaining: 0, resetAt: new Date((minute + 1) * MINUTE_MS) };
    return allowanceOf(await store.count(holder, minute, requests), requests, limit);
  };

/**
 * Counts one request of a holder.
 * @throws RateLimitExceeded above the limit
 */
export const demandRequest = async (count: CountRequests, holder: string, clock: () => Date): Promise<void> => {
  const { granted, limit, resetAt } = await count(holder, 1);
  if (granted > 0) return;
  const seconds = Math.ceil((resetAt.getTime() - clock().getTime()) / 1_000);
  throw new RateLimitExceeded(limit, Math.max(1, seconds));
};
