import { createBoundedCache } from '@weft/service-kit/caching';

/** Tells the versions of workflows whose runs act on the outside, by how those went that were held. */
export interface ActingVersions {
  /** True if a run of this version will act outside: it is stored as it is claimed. */
  readonly expects: (versionId: string) => boolean;
  /** A run of this version that was held acted outside, or ended without. */
  readonly learn: (versionId: string, acts: boolean) => void;
}

const MAX_VERSIONS = 5_000;

/**
 * So many runs in a row must have acted. A run that is stored and then does not act has cost a write, several times
 * what is saved with one that does.
 */
const CERTAIN_AFTER = 8;

/** One in so many runs is held all the same: input may have come with which runs do not act. */
const PROBE_EVERY = 32;

interface Known {
  /** Runs in a row that acted. */
  readonly acted: number;
  readonly stored: number;
}

/** Learns from runs of this replica. */
export const createActingVersions = (): ActingVersions => {
  const versions = createBoundedCache<string, Known>({ maxEntries: MAX_VERSIONS });
  return {
    expects: (versionId) => {
      const known = versions.get(versionId);
      if (known === undefined || known.acted < CERTAIN_AFTER) return false;
      const stored = (known.stored + 1) % PROBE_EVERY;
      versions.set(versionId, { ...known, stored });
      return stored !== 0;
    },
    learn: (versionId, acts) => {
      const { acted = 0, stored = 0 } = versions.get(versionId) ?? {};
      versions.set(versionId, { acted: acts ? acted + 1 : 0, stored });
    },
  };
};
