import { type Item, messageOf, type NodeContext, NodeFailure, type NodeResult } from '@weft/engine';
import { isJsonObject, type Json, listField, numberField } from '@weft/node-catalogue';
import { failureOf } from '../../../shared/each-item';
import { numberParameter } from '../../../shared/read-parameter';

/** Bytes of results that are stored between batches. With more, the rest is done in one step. */
const MAX_STORED = 524_288;
/** Checkpoints of one node run; the engine allows 2,000 steps. */
const MAX_CHECKPOINTS = 1_900;
/** Maximum number of items of a batch, of calls at once, and of milliseconds between batches. */
const [MAX_BATCH, MAX_AT_ONCE, MAX_DELAY] = [100, 10, 3_600_000];

/** How a node goes through its items. */
export interface Batching {
  readonly size: number;
  readonly delayMs: number;
}

/** The result for one item, or the message of its failure where the node continues. JSON, so that it can be stored. */
export type Worked = { readonly value: Json } | { readonly error: string };

/** The batches that the options of a node ask for; items one after the other if its version has no such options. */
export function batchingOf(context: NodeContext, path: string, hasOptions: boolean): Batching {
  if (!hasOptions) return { size: 1, delayMs: 0 };
  const size = Math.floor(numberParameter(context, `${path}.batchSize`, 0, 5));
  const delayMs = numberParameter(context, `${path}.delayBetweenBatches`, 0, 0);
  return {
    size: Math.min(MAX_BATCH, Math.max(1, size)),
    delayMs: Math.min(MAX_DELAY, Math.max(0, delayMs)),
  };
}

/**
 * Works on the items of a node batch by batch. The results of a batch are stored before the next begins, so a run that
 * continues in another process repeats the calls of one batch at most.
 * @param finish makes the outputs from the results, one for each item
 * @throws NodeFailure of the first failed item of a batch, unless the node continues on failures
 */
export async function workItems(
  context: NodeContext,
  { size, delayMs }: Batching,
  work: (itemIndex: number) => Promise<Json>,
  finish: (results: readonly Worked[]) => NodeResult,
): Promise<NodeResult> {
  const count = context.items.length;
  const { results, bytes: stored, checkpoints } = progressOf(context);
  let bytes = stored;
  while (results.length < count) {
    if (results.length > 0 && delayMs > 0) await context.ports.clock.sleep(delayMs, context.signal);
    const made = await workBatch(context, results.length, Math.min(results.length + size, count), work);
    results.push(...made);
    bytes += Buffer.byteLength(JSON.stringify(made));
    if (results.length < count && bytes <= MAX_STORED && checkpoints < MAX_CHECKPOINTS)
      return {
        kind: 'request',
        calls: [],
        state: { results: results.map((one) => ({ ...one })), bytes, checkpoints: checkpoints + 1 },
      };
  }
  return finish(results);
}

/** Progress of the node run before this step. */
function progressOf({ continuation }: NodeContext): { results: Worked[]; bytes: number; checkpoints: number } {
  const state = continuation?.state;
  return {
    results: listField(state, 'results').flatMap((one): Worked[] => {
      if (!isJsonObject(one)) return [];
      return typeof one['error'] === 'string' ? [{ error: one['error'] }] : [{ value: one['value'] ?? null }];
    }),
    bytes: numberField(state, 'bytes') ?? 0,
    checkpoints: numberField(state, 'checkpoints') ?? 0,
  };
}

/** After a failure no further item of the batch is begun; those under way are awaited. */
async function workBatch(
  context: NodeContext,
  start: number,
  end: number,
  work: (itemIndex: number) => Promise<Json>,
): Promise<Worked[]> {
  const results: (Worked | undefined)[] = Array.from({ length: end - start }, () => undefined);
  const failures = new Map<number, unknown>();
  let next = start;
  const worker = async (): Promise<void> => {
    while (next < end && (failures.size === 0 || context.continueOnFail)) {
      const index = next;
      next += 1;
      const pause = context.pause();
      if (pause !== undefined) await pause;
      try {
        results[index - start] = { value: await work(index) };
      } catch (thrown) {
        if (context.signal.aborted) throw thrown;
        failures.set(index, thrown);
        results[index - start] = { error: messageOf(thrown) };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, end - start) }, worker));
  const first = Math.min(...failures.keys());
  if (failures.size > 0 && !context.continueOnFail) throw withItem(failureOf(failures.get(first), first), first);
  return results.flatMap((one) => (one === undefined ? [] : [one]));
}

/** The failure, with the number of the item if it has none: a model does not know for which one it is called. */
function withItem(failure: NodeFailure, itemIndex: number): NodeFailure {
  if (failure.itemIndex !== undefined) return failure;
  const { message, name, description, context, cause } = failure;
  return new NodeFailure(message, {
    itemIndex,
    name,
    cause,
    ...(description === undefined ? {} : { description }),
    ...(context === undefined ? {} : { context }),
  });
}

/** An item for each result: its value in a field, or the message of its failure. */
export function itemsWith(field: string, results: readonly Worked[]): Item[] {
  return results.map((one, item) => ({
    json: 'error' in one ? { error: one.error } : { [field]: one.value },
    pairedItem: { item },
  }));
}
