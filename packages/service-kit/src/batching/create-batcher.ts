import { currentContext, withContext, withoutContext, type RequestContext } from '../context';
import { Unsent } from '../errors';

export interface BatcherOptions<Item, Result> {
  /**
   * Processes a batch. Resolves to one entry per item, in order; an Error entry rejects only that caller. If it
   * rejects, every caller of the batch is rejected.
   */
  readonly flush: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>;
  /** Maximum items per batch. */
  readonly maxBatch: number;
  /** Maximum concurrent batches; with 1, items that arrive during a batch form the next one (group commit). */
  readonly concurrency: number;
  /** Maximum waiting items; more are refused as unavailable. */
  readonly maxQueued: number;
  /**
   * Also bounds the weight of a batch, for example its bytes. A heavier item forms a separate batch. `maxHeld` bounds
   * the weight of all waiting and in-flight items; items above it are refused as unavailable.
   */
  readonly weight?: { readonly of: (item: Item) => number; readonly max: number; readonly maxHeld?: number };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly context: RequestContext | undefined;
}

/** The trace that a batch belongs to: that of its first recorded call. */
const traceOf = (batch: readonly Pick<Waiting<never, never>, 'context'>[]): RequestContext | undefined => {
  const traced = batch.find(({ context }) => context?.span?.isRecorded === true)?.context;
  return traced?.span && { requestId: traced.requestId, span: traced.span };
};

/**
 * Batches single calls: calls made within one tick of the event loop, and calls made while a batch is in flight, share
 * a batch. A call resolves when its batch is done. `flush` runs outside the context of any caller, because a later
 * batch would otherwise inherit the deadline of a finished request. It is part of the trace of one of its recorded
 * calls, if there is one.
 */
export const createBatcher = <Item, Result>(
  options: BatcherOptions<Item, Result>,
): ((item: Item) => Promise<Result>) => {
  let queue: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;
  let heldWeight = 0;

  const weightOf = (item: Item): number => options.weight?.of(item) ?? 0;

  const resolveBatch = (batch: readonly Waiting<Item, Result>[], results: readonly (Result | Error)[]): void => {
    batch.forEach((waiting, index) => {
      const result = results[index];
      if (result === undefined || result instanceof Error)
        waiting.reject(result ?? new Error('The batch returned no result for this item.'));
      else waiting.resolve(result);
    });
  };

  const send = async (batch: readonly Waiting<Item, Result>[]): Promise<void> => {
    const flush = (): Promise<readonly (Result | Error)[]> => options.flush(batch.map(({ item }) => item));
    const context = traceOf(batch);
    try {
      resolveBatch(batch, await (context === undefined ? withoutContext(flush) : withContext(context, flush)));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
    inFlight -= 1;
    for (const { item } of batch) heldWeight -= weightOf(item);
    pump();
  };

  /** Size of the next batch: at least one. */
  const nextBatchSize = (): number => {
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
    while (queue.length > 0 && inFlight < options.concurrency) {
      const count = nextBatchSize();
      const batch = queue.slice(0, count);
      queue = queue.slice(count);
      inFlight += 1;
      void send(batch);
    }
  };

  return function batched(item) {
    return new Promise((resolve, reject) => {
      const weight = weightOf(item);
      const isTooHeavy = heldWeight > 0 && heldWeight + weight > (options.weight?.maxHeld ?? Number.POSITIVE_INFINITY);
      if (queue.length >= options.maxQueued || isTooHeavy) {
        reject(new Unsent('Too many requests are waiting. Try again.'));
        return;
      }
      heldWeight += weight;
      queue.push({ item, resolve, reject, context: currentContext() });
      if (!scheduled && inFlight < options.concurrency) {
        scheduled = true;
        setImmediate(pump);
      }
    });
  };
};
