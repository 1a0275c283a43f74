import { InFlightMap } from './in-flight-map';

/** A set for what comes and goes, for the reason of {@link InFlightMap}. A value is removed by what adding it gave. */
export class InFlightSet<Value extends object> {
  readonly #values = new InFlightMap<number, Value>();
  #last = 0;

  get size(): number {
    return this.#values.size;
  }

  /** @returns what removes it, and returns true if it was there */
  add(value: Value): () => boolean {
    const number = (this.#last += 1);
    this.#values.set(number, value);
    return () => this.#values.delete(number);
  }

  /** Values in the order in which they came. */
  [Symbol.iterator](): IterableIterator<Value> {
    return this.#values.values();
  }
}
