/** Values by key, the least recently used ones evicted when a bound is exceeded. */
export interface BoundedCache<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  /** @param weight of the value, for example its bytes. */
  readonly set: (key: Key, value: Value, weight?: number) => void;
  readonly delete: (key: Key) => void;
}

/** Bounds of a cache. */
export interface CacheOptions {
  /** Default: any number. */
  readonly maxEntries?: number;
  /** Maximum sum of the weights. Default: any. */
  readonly maxWeight?: number;
  /** True to retain a value that alone exceeds `maxWeight` until the next one is set. Default: it is not stored. */
  readonly retainsOversized?: boolean;
}

/** Creates an empty cache. */
export const createBoundedCache = <Key, Value>({
  maxEntries = Infinity,
  maxWeight = Infinity,
  retainsOversized = false,
}: CacheOptions): BoundedCache<Key, Value> => {
  // A Map has the order of insertion, so its first key is the one that was not used for longest.
  const entries = new Map<Key, { readonly value: Value; readonly weight: number }>();
  let total = 0;
  const evict = (key: Key): void => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value, weight = 0) => {
      evict(key);
      if (weight > maxWeight && !retainsOversized) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if ((total <= maxWeight && entries.size <= maxEntries) || oldest === key) return;
        evict(oldest);
      }
    },
    delete: evict,
  };
};
