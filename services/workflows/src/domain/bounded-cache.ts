/** Values by key, the least recently used ones dropped when their costs exceed the bound. */
export interface BoundedCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** A value that alone costs more than the bound is not kept. */
  readonly set: (key: string, value: Value, cost: number) => void;
}

/** @param maxCost sum of costs, for example bytes. */
export const createBoundedCache = <Value>(maxCost: number): BoundedCache<Value> => {
  // A Map keeps the order of insertion, so its first key is the one that was not used for longest.
  const entries = new Map<string, { readonly value: Value; readonly cost: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.cost ?? 0;
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
    set: (key, value, cost) => {
      drop(key);
      if (cost > maxCost) return;
      entries.set(key, { value, cost });
      total += cost;
      for (const oldest of entries.keys()) {
        if (total <= maxCost) return;
        drop(oldest);
      }
    },
  };
};
