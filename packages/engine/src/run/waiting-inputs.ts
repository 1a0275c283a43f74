import type { InputSources, WaitingNode } from '../records/engine-state';
import type { RunSource } from '../records/run-record';

/**
 * Items that have arrived at one node that is wired on several inputs. Every input is a queue; what stands first in all
 * of them belongs to one run. So a second arrival on an input that is already filled is queued for the next run.
 */
export class WaitingInputs {
  readonly #queues: { arrived: RunSource[]; used: number }[];

  constructor(inputCount: number, arrived: WaitingNode['arrived'] = []) {
    this.#queues = Array.from({ length: inputCount }, (_, input) => ({
      arrived: [...(arrived[input] ?? [])],
      used: 0,
    }));
  }

  /** Adds an arrival. */
  add(input: number, source: RunSource): void {
    this.#queues[input]?.arrived.push(source);
  }

  /** Inputs of the next run, null where nothing has arrived. */
  first(): InputSources {
    return this.#queues.map(({ arrived, used }) => arrived[used] ?? null);
  }

  /** True if every input of the next run is filled. */
  isComplete(): boolean {
    return this.#queues.every(({ arrived, used }) => used < arrived.length);
  }

  /** True if nothing is queued. */
  isEmpty(): boolean {
    return this.#queues.every(({ arrived, used }) => used >= arrived.length);
  }

  /** Takes the inputs of the next run. */
  take(): InputSources {
    const sources = this.first();
    for (const queue of this.#queues) {
      if (queue.used < queue.arrived.length) queue.used += 1;
      // Drops used entries now and then, not every time: that would move the rest again and again.
      if (queue.used > 32 && queue.used * 2 > queue.arrived.length) {
        queue.arrived.splice(0, queue.used);
        queue.used = 0;
      }
    }
    return sources;
  }

  /** The form in which it is stored. */
  state(): RunSource[][] {
    return this.#queues.map(({ arrived, used }) => arrived.slice(used));
  }
}
