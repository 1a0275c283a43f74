/**
 * Durations and deadlines of this process are measured by its monotonic clock, which cannot be set. These convert them
 * where another program or a library counts by the wall clock.
 */

/** Unix milliseconds of a time in monotonic milliseconds. */
export const unixTimeOf = (monotonicMs: number): number => Math.round(Date.now() + monotonicMs - performance.now());

/** Monotonic milliseconds of a time in Unix milliseconds. */
export const monotonicTimeOf = (unixMs: number): number => performance.now() + unixMs - Date.now();
