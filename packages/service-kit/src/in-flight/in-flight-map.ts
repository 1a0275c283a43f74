/** Holder of a value, emptied when the value is removed. */
interface Place<Value> {
  value: Value | undefined;
}

/**
 * A Map for short-lived entries such as calls, runs and waits, with the order and methods of a Map.
 *
 * A V8 Map must not hold such values directly. When its table is full of deleted entries, it allocates a new one, and
 * the old table keeps its entries and a reference to the new one. Minor collections do not free what a dead object in
 * the old generation refers to. So once a table has been promoted, every later one stays until the whole heap is
 * marked, together with whatever was in the map when it was replaced: most of the runs of a service.
 */
export class InFlightMap<Key extends string | number, Value extends object> {
  readonly #places = new Map<Key, Place<Value>>();

  get size(): number {
    return this.#places.size;
  }

  has(key: Key): boolean {
    return this.#places.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#places.get(key)?.value;
  }

  set(key: Key, value: Value): void {
    const place = this.#places.get(key);
    if (place === undefined) this.#places.set(key, { value });
    else place.value = value;
  }

  /** @returns true if the key was there */
  delete(key: Key): boolean {
    const place = this.#places.get(key);
    if (place === undefined) return false;
    place.value = undefined;
    return this.#places.delete(key);
  }

  keys(): IterableIterator<Key> {
    return this.#places.keys();
  }

  /** Values in insertion order. */
  *values(): IterableIterator<Value> {
    for (const { value } of this.#places.values()) if (value !== undefined) yield value;
  }
}
