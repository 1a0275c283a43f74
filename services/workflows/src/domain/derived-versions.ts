import { createBoundedCache } from '@weft/service-kit/caching';
import type { VersionStore } from './ports';
import type { Version } from './workflow';

/** What is worked out from each of these versions; ids that do not exist are left out. */
export type DerivedVersions<Value> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;

/** How a value is worked out and kept. */
export interface DerivationOptions<Value> {
  readonly store: Pick<VersionStore, 'find'>;
  readonly derive: (version: Version) => Value;
  /** Bytes that a value takes, about. */
  readonly costOf: (value: Value, version: Version) => number;
  /** Bytes that all kept values may take. */
  readonly maxCost: number;
}

/** Works values out of versions once and keeps the used ones: versions never change, so the values hold for ever. */
export const deriveVersions = <Value>({
  store,
  derive,
  costOf,
  maxCost,
}: DerivationOptions<Value>): DerivedVersions<Value> => {
  const cache = createBoundedCache<string, Value>({ maxWeight: maxCost });
  return async (ids) => {
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
