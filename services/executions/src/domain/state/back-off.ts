/** Milliseconds after its insert at which an unclaimed execution is published again. */
export const FIRST_PUBLISH_MS = 30_000;

const MINUTE = 60_000;

/**
 * Milliseconds to the next publication of an execution that was republished `times` times: 1, 2, 4, 8, then 10 minutes.
 */
export const republishDelayMs = (times: number): number => Math.min(10 * MINUTE, MINUTE * 2 ** Math.min(times, 10));

const CRASH_DELAYS_MS = [1_500, 10_000, 30_000] as const;

/**
 * Milliseconds before an execution with this crash count may be claimed again; never longer than a lease. Random, so
 * that runs that crashed together do not return together.
 * @param random from 0 to 1.
 */
export const crashDelayMs = (crashes: number, leaseMs: number, random: number): number => {
  const most = Math.min(
    leaseMs,
    CRASH_DELAYS_MS[Math.min(Math.max(crashes, 1), CRASH_DELAYS_MS.length) - 1] ?? CRASH_DELAYS_MS[2],
  );
  return most * (0.2 + 0.8 * random);
};

/**
 * Milliseconds before an execution may be claimed again that lost its runner, probably through another one. Random, so
 * that other runners take their part.
 * @param random from 0 to 1.
 */
export const regroupDelayMs = (leaseMs: number, random: number): number => Math.min(leaseMs, 500) * random;

/** Milliseconds for which a lease may stay unchanged after its runner has lost all connections. */
export const DISCONNECTED_MS = 3_000;

/** Milliseconds for which an execution waits whose definition is unavailable. */
export const retryClaimMs = (leaseMs: number): number => Math.min(leaseMs, 5_000);

/** Milliseconds after its end before a lease counts as expired: covers a renewal in flight. */
export const leaseGraceMs = (leaseMs: number): number => Math.min(2_000, leaseMs / 15);

/**
 * Milliseconds between two checks of all leases: the time from the death of a runner to the next attempt is at most two
 * of them, a lease, its grace and the first back-off.
 */
export const leaseWatchMs = (leaseMs: number): number => Math.max(25, leaseMs / 20);

/** Milliseconds to the next try of a completion hook that failed `tries` times: 1 s, doubling up to 10 minutes. */
export const hookRetryDelayMs = (tries: number): number => Math.min(10 * MINUTE, 1_000 * 2 ** Math.min(tries, 20));
