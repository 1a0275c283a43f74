import { InFlightMap } from './in-flight-map';

/**
 * A set for short-lived values, for the reason given at {@link InFlightMap}. `add` returns the function that removes.
 */
export class InFlightSet<Value extends object> {
  readonly #values = new InFlightMap<number, Value>();
  #last = 0;

  get size(): number {
    return this.#values.size;
  }

  /** @returns a function that removes the value and returns true if it was present */
  add(value: Value): () => boolean {
    const number = (this.#last += 1);
    this.#values.set(number, value);
    return () => this.#values.delete(number);
  }

  /** Values in insertion order. */
  [Symbol.iterator](): IterableIterator<Value> {
    return this.#values.values();
  }
}
