/** Time beyond the drain for last answers, releases and the closing of connections, in milliseconds. */
const CLOSING_MS = 20_000;

/**
 * Milliseconds after which a stop that hangs is ended. The grace period of an orchestrator must be longer: this, the
 * time of a preStop hook, and some seconds.
 */
export const stopLimitMs = (drainMs: number): number => drainMs + CLOSING_MS;
