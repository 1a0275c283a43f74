/** How much of a call is within the limit, and what is left. */
export interface Allowance {
  /** How many of the requests asked for are within the limit. */
  readonly granted: number;
  /** Requests a minute; 0: there is no limit. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** A window after requests were counted in it. */
export interface CountedWindow {
  /** Minutes since 1970: windows are the minutes of the clock. */
  readonly minute: number;
  /** Requests counted in this minute, these among them, over the limit or not. */
  readonly used: number;
}

/** Where windows are kept, shared by all replicas. */
export interface RateWindowStore {
  /**
   * Counts requests in the window of `minute`, or in the next one if a replica with a faster clock has opened it.
   * Each request counted anywhere gets a place of its own.
   */
  readonly count: (id: string, minute: number, requests: number) => Promise<CountedWindow>;
}

/** Counts requests of one holder. */
export type CountRequests = (holder: string, requests: number) => Promise<Allowance>;

const MINUTE_MS = 60_000;

/** What a window leaves for the last `requests` counted in it. */
export const allowanceOf = ({ minute, used }: CountedWindow, requests: number, limit: number): Allowance => ({
  granted: Math.max(0, Math.min(requests, limit - (used - requests))),
  limit,
  remaining: Math.max(0, limit - used),
  resetAt: new Date((minute + 1) * MINUTE_MS),
});

/** Counts against `limit` requests a minute; with 0 everything is granted and nothing is written. */
export const createCountRequests =
  (store: RateWindowStore, limit: number, clock: () => Date): CountRequests =>
  async (holder, requests) => {
    const minute = Math.floor(clock().getTime() / MINUTE_MS);
    if (limit === 0) return { granted: requests, limit, remaining: 0, resetAt: new Date((minute + 1) * MINUTE_MS) };
    return allowanceOf(await store.count(holder, minute, requests), requests, limit);
  };
