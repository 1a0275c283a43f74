import { createBoundedCache } from '@weft/service-kit/caching';
import { MAX_KNOWN_VERSIONS, meanWith } from './version-means';

/** Versions whose runs are over in a moment, with all that they do. */
export interface QuickVersions {
  /** True if its last runs were quick; false for one that is not known. */
  readonly has: (versionId: string) => boolean;
  /** A run has ended so many milliseconds after its start; undefined: it goes on, and had to be stored before. */
  readonly learn: (versionId: string, ms: number | undefined) => void;
}

/** Mean in milliseconds up to which runs are quick. Most of it they wait, where more than a few come at once. */
const QUICK_MS = 30;
/** A run that goes on counts as one of so many milliseconds. */
const LONG_MS = 250;

/** Learns which versions are quick from the runs that this replica holds. */
export const createQuickVersions = (): QuickVersions => {
  const means = createBoundedCache<string, { readonly ms: number }>({ maxEntries: MAX_KNOWN_VERSIONS });
  return {
    has: (versionId) => (means.get(versionId)?.ms ?? Number.POSITIVE_INFINITY) <= QUICK_MS,
    learn: (versionId, ms = LONG_MS) => means.set(versionId, { ms: meanWith(ms, means.get(versionId)?.ms) }),
  };
};
