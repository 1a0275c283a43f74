const FIRST_MS = 300;
const MAX_MS = 600_000;

/**
 * Milliseconds for which nothing runs beside an execution over which runners died `crashes` times. Longer each time:
 * what kills its process slowly is alone there in the end.
 */
export const aloneMs = (crashes: number): number => Math.min(MAX_MS, FIRST_MS * 5 ** Math.max(0, crashes - 1));
