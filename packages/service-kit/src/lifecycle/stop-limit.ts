/** Time after the drain for last responses, releases and closing connections, in milliseconds. */
const CLOSING_MS = 20_000;

/**
 * Milliseconds after which a hanging stop is forced. The grace period of the orchestrator must be longer: this time,
 * the time of a preStop hook, and a few seconds.
 */
export const stopLimitMs = (drainMs: number): number => drainMs + CLOSING_MS;
