import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { MasterKeys } from '../domain/master-keys';
import type { RewrapCredentials } from '../domain/credentials/rewrap-credentials';

/** Milliseconds between two rounds. Replicas with the previous configuration still seal under the previous key. */
const INTERVAL_MS = 600_000;

/** Maximum number of unreadable credentials logged. */
const MAX_LOGGED = 100;

export interface RewrapJobDeps {
  readonly rewrapCredentials: RewrapCredentials;
  readonly masterKeys: MasterKeys;
  /** Number of API keys hashed under the master key with this id. */
  readonly countApiKeys: (kid: string) => Promise<number>;
  readonly logger: Logger;
}

/**
 * Moves all credentials to the current master key, and logs what still depends on the previous one. API keys are
 * rehashed when they are used, because only their holders know them.
 */
export const startRewrapJob = ({ rewrapCredentials, masterKeys, countApiKeys, logger }: RewrapJobDeps): Loop => {
  let afterId: string | undefined;
  let moved = 0;
  let unreadable: readonly string[] = [];
  return startLoop({
    name: 'rewrap-credentials',
    everyMs: INTERVAL_MS,
    logger,
    tick: async () => {
      const { previous } = masterKeys;
      if (previous === undefined) return false;
      const step = await rewrapCredentials(afterId);
      moved += step.moved;
      unreadable = [...unreadable, ...step.unreadable].slice(0, MAX_LOGGED);
      afterId = step.nextAfterId;
      if (afterId !== undefined) return true;
      const apiKeysLeft = await countApiKeys(previous.kid);
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
