import { createBoundedCache } from '@weft/service-kit/caching';

/** Tells which workflow versions have side effects, from the previous runs of this replica. */
export interface SideEffectingVersions {
  /** Whether the next run of this version is expected to have side effects, so that it is stored with its claim. */
  readonly expects: (versionId: string) => boolean;
  /** An in-memory run of this version was about to have a side effect, or ended without one. */
  readonly learn: (versionId: string, hasSideEffects: boolean) => void;
}

const MAX_VERSIONS = 5_000;

/** Runs in a row with side effects. Storing a run that then has none costs several times what this rule saves. */
const CERTAIN_AFTER = 8;

/** One run in this number stays in memory nevertheless, to notice that runs no longer have side effects. */
const PROBE_EVERY = 32;

interface Known {
  /** Runs in a row that had side effects. */
  readonly inRow: number;
  /** Runs since the last one that stayed in memory. */
  readonly sinceProbe: number;
}

/** Creates the record of versions of one replica. */
export const createSideEffectingVersions = (): SideEffectingVersions => {
  const versions = createBoundedCache<string, Known>({ maxEntries: MAX_VERSIONS });
  return {
    expects: (versionId) => {
      const known = versions.get(versionId);
      if (known === undefined || known.inRow < CERTAIN_AFTER) return false;
      const sinceProbe = (known.sinceProbe + 1) % PROBE_EVERY;
      versions.set(versionId, { ...known, sinceProbe });
      return sinceProbe !== 0;
    },
    learn: (versionId, hasSideEffects) => {
      const { inRow = 0, sinceProbe = 0 } = versions.get(versionId) ?? {};
      versions.set(versionId, { inRow: hasSideEffects ? inRow + 1 : 0, sinceProbe });
    },
  };
};
