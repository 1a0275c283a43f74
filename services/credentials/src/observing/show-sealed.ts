import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createGauge } from '@weft/service-kit/metrics';
import type { MasterKeys } from '../domain/master-keys';

const sealed = createGauge({
  name: 'weft_sealed_items',
  help: 'Credentials by the master key that seals them; those sealed by an unknown key cannot be read.',
  labels: { key: ['current', 'previous', 'unknown'] },
});

/** Counting interval, in milliseconds. */
const EVERY_MS = 60_000;

export interface ShowSealedParts {
  /** Counts of credentials by the id of their master key. */
  readonly countByKid: () => Promise<ReadonlyMap<string, number>>;
  readonly masterKeys: MasterKeys;
  /** Compares the keys with those used before: they may have been replaced since. */
  readonly checkKeys: () => Promise<void>;
  readonly logger: Logger;
}

/** Starts counting which master keys seal the credentials. */
export const startShowingSealed = ({ countByKid, masterKeys, checkKeys, logger }: ShowSealedParts): Loop => {
  let counts: ReadonlyMap<string, number> | undefined;
  const loop = startLoop({
    name: 'count-sealed',
    everyMs: EVERY_MS,
    logger,
    tick: async () => {
      counts = await countByKid();
      await checkKeys();
    },
  });
  const hide = sealed.read(() => {
    if (counts === undefined) return [];
    const { current, previous } = masterKeys;
    const ofCurrent = counts.get(current.kid) ?? 0;
    const ofPrevious = previous === undefined ? 0 : (counts.get(previous.kid) ?? 0);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return [
      [{ key: 'current' }, ofCurrent],
      [{ key: 'previous' }, ofPrevious],
      [{ key: 'unknown' }, all - ofCurrent - ofPrevious],
    ];
  });
  return {
    ...loop,
    stop: async () => {
      hide();
      await loop.stop();
    },
  };
};
