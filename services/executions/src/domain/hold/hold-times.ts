import { createBoundedCache } from '@weft/service-kit/caching';
import { MAX_KNOWN_VERSIONS, meanWith } from './version-means';

/** Decides how long a run may go on before it is stored, by how its version behaved before. */
export interface HoldTimes {
  /** Milliseconds; 0: it is stored first. */
  readonly of: (versionId: string) => number;
  /** A run that was held for so many milliseconds was stored. */
  readonly learn: (versionId: string, ms: number) => void;
}

/** Part of the limit below which the usual time of a version must be. */
const WORTH = 0.6;

/** One in so many runs of a version that is usually too slow is held all the same: it may have become faster. */
const PROBE_EVERY = 32;

interface Usual {
  readonly ms: number;
  readonly skipped: number;
}

/**
 * Times for runs that nobody waits for. A caller who is answered when its start is stored gains nothing from a run that
 * is stored when its time is over, and waits for that time.
 */
export const createHoldTimes = (limitMs: number): HoldTimes => {
  const usual = createBoundedCache<string, Usual>({ maxEntries: MAX_KNOWN_VERSIONS });
  return {
    of: (versionId) => {
      if (limitMs === 0) return 0;
      const known = usual.get(versionId);
      if (known === undefined || known.ms <= limitMs * WORTH) return limitMs;
      const skipped = (known.skipped + 1) % PROBE_EVERY;
      usual.set(versionId, { ...known, skipped });
      return skipped === 0 ? limitMs : 0;
    },
    learn: (versionId, ms) => {
      const known = usual.get(versionId);
      usual.set(versionId, { ms: meanWith(ms, known?.ms), skipped: known?.skipped ?? 0 });
    },
  };
};
