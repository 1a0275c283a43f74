import { createBoundedCache } from '@weft/service-kit/caching';
import { InFlightMap } from '@weft/service-kit/in-flight';
import { readVersionFacts, type VersionFacts, type WorkflowVersion } from './workflow-version';

/** A version and the facts read from it. */
export interface KnownVersion {
  readonly version: WorkflowVersion;
  readonly facts: VersionFacts;
}

/** Fetches a version; undefined if it does not exist. @throws Unavailable */
export type FetchVersion = (versionId: string) => Promise<WorkflowVersion | undefined>;

/** Returns a version; undefined if it does not exist. @throws Unavailable if it must be fetched and cannot. */
export type GetVersion = (versionId: string) => Promise<KnownVersion | undefined>;

/** Maximum estimated memory of the cached versions. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Estimated memory of a version: its definition once more for the facts, and a constant. */
const bytesOf = ({ definition }: WorkflowVersion): number => 2 * definition.length + 1_024;

/**
 * The most recently used versions, within the memory limit. Versions never change, so the cache is never stale.
 * Concurrent requests for a version share one fetch.
 */
export const createVersionCache = (
  fetch: FetchVersion,
  onMet: (known: KnownVersion) => void = () => undefined,
  readFacts: (version: WorkflowVersion) => VersionFacts = readVersionFacts,
  maxBytes = MAX_BYTES,
): GetVersion => {
  const known = createBoundedCache<string, KnownVersion>({ maxWeight: maxBytes });
  const underWay = new InFlightMap<string, Promise<KnownVersion | undefined>>();

  const load = async (versionId: string): Promise<KnownVersion | undefined> => {
    try {
      const version = await fetch(versionId);
      if (version === undefined) return undefined;
      const entry = { version, facts: readFacts(version) };
      known.set(versionId, entry, bytesOf(version));
      onMet(entry);
      return entry;
    } finally {
      underWay.delete(versionId);
    }
  };

  return (versionId) => {
    const entry = known.get(versionId);
    if (entry !== undefined) return Promise.resolve(entry);
    const loading = underWay.get(versionId) ?? load(versionId);
    underWay.set(versionId, loading);
    return loading;
  };
};
