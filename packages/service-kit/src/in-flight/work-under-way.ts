import { InFlightSet } from './in-flight-set';

/** Pending work, for callers that bound it or wait for its end. */
export class WorkUnderWay {
  readonly #works = new InFlightSet<Promise<unknown>>();

  get size(): number {
    return this.#works.size;
  }

  /** @returns the outcome of the work, which is removed by then */
  track<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
    const tracked: Promise<Outcome> = work.finally(() => leave());
    const leave = this.#works.add(tracked);
    return tracked;
  }

  /** In the order in which it began. */
  [Symbol.iterator](): IterableIterator<Promise<unknown>> {
    return this.#works[Symbol.iterator]();
  }
}
