import { type Item, messageOf } from '@weft/engine';
import { runBatches } from '../shared/http/run-batches';
import type { AppRun } from './app-run';
import type { DelayedItems } from './delayed-items';
import type { Progress } from './steps/run-item-steps';
import { LongDelay } from './send-call';

/** How the items of a node run are worked on. */
export interface ItemsOrder {
  /** One after the other, and not ten at a time. */
  readonly isInOrder?: boolean;
  /** Marks an item as delayed. */
  readonly delay?: (index: number, progress: Progress, thrown: LongDelay) => void;
}

/** Results of the items of a node run. Each item must be finished, failed or delayed. */
export class ItemResults {
  readonly #run: Pick<AppRun, 'context'>;
  readonly #delayed: DelayedItems;
  readonly #results = new Map<number, readonly Item[]>();

  constructor(run: Pick<AppRun, 'context'>, delayed: DelayedItems) {
    this.#run = run;
    this.#delayed = delayed;
  }

  has(index: number): boolean {
    return this.#results.has(index);
  }

  finish(index: number, items: readonly Item[]): void {
    this.#results.set(index, items);
    this.#delayed.finish(index, items);
  }

  /** @throws the failure, unless the node continues on failure */
  fail(index: number, thrown: unknown): void {
    const { context } = this.#run;
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    this.finish(index, [{ json: { error: messageOf(thrown) }, pairedItem: { item: index } }]);
  }

  /** Does work for the items that have no result yet, until one is delayed. Returns what it gave, unless one is. */
  async forItems<Done>(
    work: (index: number, progress: Progress) => Promise<Done>,
    { isInOrder = false, delay = (...delayed) => this.#delayed.delay(...delayed) }: ItemsOrder = {},
  ): Promise<readonly Done[]> {
    const { context } = this.#run;
    const workOn = async (index: number): Promise<readonly Done[]> => {
      const known = this.#delayed.done(index);
      if (known !== undefined) this.#results.set(index, known);
      if (known !== undefined || this.#delayed.isWaiting) return [];
      await context.pause();
      const progress = this.#delayed.progress(index);
      try {
        return [await work(index, progress)];
      } catch (thrown) {
        if (thrown instanceof LongDelay) delay(index, progress, thrown);
        else this.fail(index, thrown);
        return [];
      }
    };
    const done = await this.each(context.items.length, workOn, isInOrder ? 1 : undefined);
    return this.#delayed.isWaiting ? [] : done.flat(1);
  }

  /** Does work ten at a time. @param size of a batch, which ends before the next one begins; absent: all are one */
  each<Result>(count: number, work: (index: number) => Promise<Result>, size?: number): Promise<Result[]> {
    const { context } = this.#run;
    return runBatches(count, { size, intervalMs: 0 }, work, (ms) => context.ports.clock.sleep(ms, context.signal));
  }

  /** The results in the order of the items, incomplete if one of them waits. */
  inOrder(): readonly Item[] {
    return [...this.#results].sort(([one], [other]) => one - other).flatMap(([, items]) => items);
  }
}

/** Progress of an item that has no steps to continue after. */
export const noProgress = (): Progress => ({ steps: {}, binary: {}, entryFiles: [] });
