import { withoutContext } from '../context';
import { Unavailable } from '../errors';

/** How calls are batched. */
export interface BatcherOptions<Item, Result> {
  /**
   * Does the work of a batch. One entry for each item, in order; an Error entry rejects that caller alone.
   * If it rejects, every caller of the batch is rejected.
   */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  /** Most items of one batch. */
  readonly maxBatch: number;
  /** Most batches under way at once; 1 makes items that arrive during a batch form the next one (group commit). */
  readonly concurrency: number;
  /** Most items that wait; more are refused as unavailable. */
  readonly maxQueued: number;
  /**
   * Bounds the weight of a batch as well, for example its bytes. An item that is heavier goes alone. `maxHeld` bounds
   * the weight of all that wait or are under way; more is refused as unavailable at once.
   */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number; readonly maxHeld?: number };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns single calls into batches: calls made within one turn of the event loop, and calls made while
 * a batch is under way, go out together. Each caller is answered when its own batch is done. `flush` runs outside the
 * context of any caller: a batch that follows another would else inherit the deadline of a request long gone.
 */
export const createBatcher = <Item, Result>(
  options: BatcherOptions<Item, Result>,
): ((item: Item) => Promise<Result>) => {
  let queue: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let scheduled = false;
  let heldWeight = 0;

  const weightOf = (item: Item): number => options.weight?.of(item) ?? 0;

  const settle = (batch: readonly Waiting<Item, Result>[], results: readonly (Result | Error)[]): void => {
    batch.forEach((waiting, index) => {
      const result = results[index];
      if (result === undefined || result instanceof Error)
        waiting.reject(result ?? new Error('The batch gave no result for this item.'));
      else waiting.resolve(result);
    });
  };

  const send = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    try {
      settle(batch, await withoutContext(() => options.flush(batch.map((waiting) => waiting.item))));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    underWay -= 1;
    for (const { item } of batch) heldWeight -= weightOf(item);
    pump();
  };

  /** How many of those that wait go out together: at least one. */
  const countOfNext = (): number => {
    const most = Math.min(queue.length, options.maxBatch);
    if (options.weight === undefined) return most;
    let weight = 0;
    for (let count = 0; count < most; count += 1) {
      const next = queue[count];
      weight += next === undefined ? 0 : options.weight.of(next.item);
      if (weight > options.weight.max) return Math.max(1, count);
    }
    return most;
  };

  const pump = (): void => {
    scheduled = false;
    while (queue.length > 0 && underWay < options.concurrency) {
      const count = countOfNext();
      const batch = queue.slice(0, count);
      queue = queue.slice(count);
      underWay += 1;
      void send(batch);
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      const weight = weightOf(item);
      const isTooHeavy = heldWeight > 0 && heldWeight + weight > (options.weight?.maxHeld ?? Number.POSITIVE_INFINITY);
      if (queue.length >= options.maxQueued || isTooHeavy) {
        reject(new Unavailable('Too many requests wait already.'));
        return;
      }
      heldWeight += weight;
      queue.push({ item, resolve, reject });
      if (!scheduled && underWay < options.concurrency) {
        scheduled = true;
        setImmediate(pump);
      }
    });
};
