/** Milliseconds after its insert at which an execution that nobody claimed is published again. */
export const FIRST_PUBLISH_MS = 30_000;

const MINUTE = 60_000;

/** Milliseconds to the next publication of an execution that was published again `times` times already: 1, 2, 4, 8, then 10 minutes. */
export const republishDelayMs = (times: number): number => Math.min(10 * MINUTE, MINUTE * 2 ** Math.min(times, 10));

const CRASH_DELAYS_MS = [5_000, 30_000] as const;

/** Milliseconds before an execution whose runner died for the `crashes`th time may be claimed again; never longer than a lease. */
export const crashDelayMs = (crashes: number, leaseMs: number): number => Math.min(leaseMs, crashes <= 1 ? CRASH_DELAYS_MS[0] : CRASH_DELAYS_MS[1]);

/** Milliseconds beyond a lease before it counts as run out: covers clocks of replicas that differ. */
export const leaseGraceMs = (leaseMs: number): number => Math.min(5_000, leaseMs / 6);

/** Milliseconds to the next try of a follow-up that failed `tries` times: 1 s, doubling up to 10 minutes. */
export const followUpDelayMs = (tries: number): number => Math.min(10 * MINUTE, 1_000 * 2 ** Math.min(tries, 20));
