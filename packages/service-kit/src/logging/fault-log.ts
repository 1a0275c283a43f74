import type { Logger } from 'pino';

/** Log of an operation that is retried. */
export interface FaultLog {
  /** Reports a failure. The first one is logged at once, further ones once a minute with their number. */
  readonly failed: (facts: Readonly<Record<string, unknown>>) => void;
  /** Reports a success, which is logged once after failures. */
  readonly worked: () => void;
}

/** Interval between lines about a lasting fault, in milliseconds. */
const LINE_EVERY_MS = 60_000;

/**
 * Logs a fault that would otherwise flood the log: one line when it begins, one a minute while it lasts, and one when
 * it ends.
 * @param text message of the failure
 * @param clock monotonic milliseconds
 */
export const createFaultLog = (
  logger: Pick<Logger, 'warn' | 'info'>,
  text: string,
  clock: () => number = () => performance.now(),
): FaultLog => {
  let since: number | undefined;
  let loggedAt = 0;
  /** Total failures, and failures not yet reported in a line. */
  let count = 0;
  let unlogged = 0;
  return {
    failed: (facts) => {
      const now = clock();
      count += 1;
      unlogged += 1;
      if (since !== undefined && now - loggedAt < LINE_EVERY_MS) return;
      logger.warn(since === undefined ? facts : { ...facts, failures: unlogged }, text);
      since ??= now;
      loggedAt = now;
      unlogged = 0;
    },
    worked: () => {
      if (since === undefined) return;
      logger.info({ failures: count, ms: Math.round(clock() - since) }, `${text}; it works again`);
      since = undefined;
      count = 0;
      unlogged = 0;
    },
  };
};
