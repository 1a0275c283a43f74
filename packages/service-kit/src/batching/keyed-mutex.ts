import { InFlightMap } from '../in-flight';
import { within } from '../time-limit';

const WAIT_MS = 10_000;

/** Serializes work on a key within this process, to avoid contention. It is an optimization, not a guarantee. */
export class KeyedMutex {
  readonly #last = new InFlightMap<string, Promise<unknown>>();
  readonly #waitMs: number;

  /**
   * @param waitMs maximum wait for the key, in milliseconds; then the work starts anyway. Nothing relies on the order.
   */
  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /** Does the work after earlier work with the same key, or after the maximum wait. */
  async take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(key);
    const { promise: done, resolve: end } = Promise.withResolvers<void>();
    const mine = Promise.all([before, done]);
    this.#last.set(key, mine);
    try {
      if (before !== undefined) await within(before, this.#waitMs);
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
