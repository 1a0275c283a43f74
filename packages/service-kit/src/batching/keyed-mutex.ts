import { InFlightMap } from '../in-flight';
import { within } from '../time-limit';

const WAIT_MS = 10_000;

/**
 * Serializes work on the same key within this process, where concurrent work would only obstruct itself.
 */
export class KeyedMutex {
  readonly #last = new InFlightMap<string, Promise<unknown>>();
  readonly #waitMs: number;

  /**
   * @param waitMs maximum wait for a turn, in milliseconds. Work continues without it then: turns save work, and
   * nothing depends on them.
   */
  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /** Does the work once earlier work with the same key is done, or after the maximum wait. */
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
