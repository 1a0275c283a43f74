/** Rows of the configuration that say how long a stop may take. */
export interface StopSettings {
  /** Time for work in progress, in milliseconds. */
  readonly drainMs: number;
  /** Time before that in which work is still accepted; of the gateway only. */
  readonly shutdownDelayMs?: number;
}

/** Time beyond the drain for last answers, releases and the closing of connections, in milliseconds. */
const CLOSING_MS = 20_000;

/**
 * Milliseconds after which a stop that hangs is ended. The grace period of an orchestrator has to be longer: this, what
 * a preStop hook waits, and some seconds.
 */
export const stopLimitMs = ({ drainMs, shutdownDelayMs = 0 }: StopSettings): number =>
  shutdownDelayMs + drainMs + CLOSING_MS;
