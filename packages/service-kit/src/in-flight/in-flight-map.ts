/** The place of a value. It is emptied when the value leaves. */
interface Place<Value> {
  value: Value | undefined;
}

/**
 * A map for what comes and goes: calls, runs, waits. It has the order and the methods of a Map.
 *
 * A Map of V8 must not hold such values itself. When its table is full of deleted entries, it makes a new one, and the
 * old table keeps its entries and a reference to the new one. Collections of the young generation do not collect what a
 * dead object of the old generation refers to. So from the first table on that has grown old, every later one stays
 * until all of the heap is marked, with whatever was in the map when it was replaced: most of the runs of a service.
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

  /** Values in the order in which their keys came. */
  *values(): IterableIterator<Value> {
    for (const { value } of this.#places.values()) if (value !== undefined) yield value;
  }
}
