import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../errors';
import type { Logger } from '../logging';

const FIRST_WAIT_MS = 250;
/** Maximum wait between attempts: short enough that a process serves within seconds of the server's return. */
const MAX_WAIT_MS = 2_000;

/** A start-up step that needs a server. */
export interface Attempt<Result> {
  /** Name of the server for the log, for example MongoDB. */
  readonly server: string;
  readonly attempt: () => Promise<Result>;
  /** True if the error means that the server is unavailable; any other error ends the start. */
  readonly isAway: (error: unknown) => boolean;
  readonly logger: Logger;
}

/**
 * Repeats a step until the server it needs is available, without limit: a process that exits instead is restarted with
 * ever longer pauses, and returns minutes after the server. Each reason is logged once, and the number of failures at
 * the end.
 */
export const untilAvailable = async <Result>({ server, attempt, isAway, logger }: Attempt<Result>): Promise<Result> => {
  let told = '';
  let failures = 0;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      const result = await attempt();
      if (failures > 0) logger.warn({ failures }, `${server} is available`);
      return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      failures += 1;
      const reason = messageOf(error);
      if (reason !== told) logger.warn({ err: error, failures }, `${server} cannot be used yet; trying again`);
      told = reason;
    }
    await setTimeout(waitMs / 2 + (Math.random() * waitMs) / 2);
  }
};
