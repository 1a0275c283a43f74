import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { RewrapCredentials } from '../domain/credentials/rewrap-credentials';

/**
 * Milliseconds between two rounds: replicas that still have the former configuration go on sealing with the former key.
 */
const EVERY_MS = 600_000;

/** What the job needs. */
export interface RewrapJobPorts {
  readonly rewrapCredentials: RewrapCredentials;
  /** How many API keys are still hashed under the previous master key. */
  readonly countOldApiKeys: () => Promise<number>;
  readonly logger: Logger;
}

/**
 * Moves all credentials to the current master key, and says what still needs the previous one. API keys move when
 * they are used, since only their holders know them.
 */
export const startRewrapJob = ({ rewrapCredentials, countOldApiKeys, logger }: RewrapJobPorts): Loop => {
  let afterId: string | undefined;
  let moved = 0;
  let unreadable: readonly string[] = [];
  return startLoop({
    name: 'rewrap-credentials',
    everyMs: EVERY_MS,
    logger,
    turn: async () => {
      const step = await rewrapCredentials(afterId);
      moved += step.moved;
      unreadable = [...unreadable, ...step.unreadable].slice(0, 100);
      afterId = step.nextAfterId;
      if (afterId !== undefined) return true;
      const apiKeysLeft = await countOldApiKeys();
      logger.info(
        { moved, unreadable, apiKeysLeft },
        'all credentials that can be opened are under the current master key',
      );
      moved = 0;
      unreadable = [];
      return false;
    },
  });
};
