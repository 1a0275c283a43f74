import { createBoundedCache } from '@weft/service-kit/caching';
import type { VersionStore } from '../ports';
import type { Version } from '../workflows/workflow';

/** Values derived from versions, by id; unknown ids are left out. */
export type DerivedVersions<Value> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** Options for deriving and caching values. */
export interface DerivationOptions<Value> {
  readonly store: Pick<VersionStore, 'find'>;
  readonly derive: (version: Version) => Value;
  /** Approximate bytes of a value. */
  readonly costOf: (value: Value, version: Version) => number;
  /** Maximum bytes of the cache. */
  readonly maxCost: number;
}

/** Derives values from versions, and caches those in use: versions are immutable, and so are the values. */
export const createDerivedVersions = <Value>({
  store,
  derive,
  costOf,
  maxCost,
}: DerivationOptions<Value>): DerivedVersions<Value> => {
  const cache = createBoundedCache<string, Value>({ maxWeight: maxCost });
  return async function derivedVersions(ids) {
    const values = new Map<string, Value>();
    const missing: string[] = [];
    for (const id of new Set(ids)) {
      const known = cache.get(id);
      if (known === undefined) missing.push(id);
      else values.set(id, known);
    }
    if (missing.length === 0) return values;
    for (const version of await store.find(missing)) {
      const value = derive(version);
      cache.set(version.id, value, costOf(value, version));
      values.set(version.id, value);
    }
    return values;
  };
};
