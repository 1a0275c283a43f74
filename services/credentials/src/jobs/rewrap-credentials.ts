import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { RewrapCredentials } from '../domain/credentials/rewrap-credentials';

/** Milliseconds between two rounds: replicas with the former configuration still seal under the former key. */
const INTERVAL_MS = 600_000;

/** Number of unreadable credentials that are logged. */
const MAX_LOGGED = 100;

/** Dependencies of the job. */
export interface RewrapJobDeps {
  readonly rewrapCredentials: RewrapCredentials;
  /** Number of API keys that are still hashed under the previous master key. */
  readonly countOldApiKeys: () => Promise<number>;
  readonly logger: Logger;
}

/**
 * Moves all credentials to the current master key, and logs what still depends on the previous one. API keys are
 * rehashed when they are used, since only their holders know them.
 */
export const startRewrapJob = ({ rewrapCredentials, countOldApiKeys, logger }: RewrapJobDeps): Loop => {
  let afterId: string | undefined;
  let moved = 0;
  let unreadable: readonly string[] = [];
  return startLoop({
    name: 'rewrap-credentials',
    everyMs: INTERVAL_MS,
    logger,
    tick: async () => {
      const step = await rewrapCredentials(afterId);
      moved += step.moved;
      unreadable = [...unreadable, ...step.unreadable].slice(0, MAX_LOGGED);
      afterId = step.nextAfterId;
      if (afterId !== undefined) return true;
      const apiKeysLeft = await countOldApiKeys();
      logger.info(
        { moved, unreadable, apiKeysLeft },
        'all readable credentials are sealed under the current master key',
      );
      moved = 0;
      unreadable = [];
      return false;
    },
  });
};
