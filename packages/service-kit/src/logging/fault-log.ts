import type { Logger } from 'pino';

/** The log of something that is tried again and again. */
export interface FaultLog {
  /** It failed. The first time is logged at once, further ones once a minute, with their number. */
  readonly failed: (facts: Readonly<Record<string, unknown>>) => void;
  /** It worked. After failures that is logged once. */
  readonly worked: () => void;
}

/** Interval between lines about a fault that lasts, in milliseconds. */
const LINE_EVERY_MS = 60_000;

/**
 * Logs a fault that would fill the log otherwise: one line when it begins, one a minute while it lasts, and one at its
 * end.
 * @param text that says what failed
 * @param clock milliseconds that only grow
 */
export const createFaultLog = (
  logger: Pick<Logger, 'warn' | 'info'>,
  text: string,
  clock: () => number = () => performance.now(),
): FaultLog => {
  let since: number | undefined;
  let loggedAt = 0;
  /** Failures in all, and those that no line has counted yet. */
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
