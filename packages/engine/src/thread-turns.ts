import { InFlightMap } from '@weft/service-kit/in-flight';

/**
 * Turns at a thread that many runs share. Whoever has worked for long waits for the next turn; one is given in each
 * round of the event loop, so that requests, timers and short runs come in between. Keys take turns: however many runs
 * of one key wait, another key waits for one of them at most.
 */
export class ThreadTurns {
  /** By key, the key that waits longest first. */
  readonly #waiting = new InFlightMap<string, (() => void)[]>();
  #isScheduled = false;

  /** Resolves when it is the turn of this key. */
  take(key: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.#waiting.get(key);
      if (own === undefined) this.#waiting.set(key, [resolve]);
      else own.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#giveTurn();
    });
  }

  #giveTurn(): void {
    const [key] = this.#waiting.keys();
    if (key === undefined) return;
    const own = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    const next = own.shift();
    if (own.length > 0) this.#waiting.set(key, own);
    if (this.#waiting.size > 0) this.#schedule();
    next?.();
  }
}
