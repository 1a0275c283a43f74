import { operationKey } from '@weft/app-model';
import type { Json } from '@weft/node-catalogue';
import { type Item, messageOf } from '@weft/engine';
import { runBatches } from '../../shared/http/run-batches';
import type { AppRun } from '../app-run';
import { buildCall } from '../build-call';
import type { DelayedItems } from '../delayed-items';
import { entriesOf } from '../fetch-list';
import type { PreparedBatch, PreparedOperation } from '../prepare-app';
import type { PreparedRequest } from '../prepare-request';
import type { ParameterReader } from '../read-parameters';
import { mixedOperations } from '../rows/run-rows';
import { type ItemTarget, type Progress, runItemSteps } from '../run-item-steps';
import { itemsOf, itemTarget } from '../run-operation';
import { LongDelay, sendCall } from '../send-call';

/** An operation that sends one request for several items, for all items of a node run. */
export interface BatchRun {
  readonly run: AppRun;
  readonly operation: PreparedOperation;
  readonly batch: PreparedBatch;
  readonly request: PreparedRequest;
  /** `RESOURCE.OPERATION`, which all items must have. */
  readonly key: string;
  readonly reader: ParameterReader;
  readonly delayed: DelayedItems;
}

/** An item, and its part of a request. */
interface BatchItem {
  readonly index: number;
  readonly target: ItemTarget;
  readonly part: Json;
  /** The request without parts of items, and how many items it takes. Items with the same one are sent together. */
  readonly group: string;
  readonly max: number;
}

/**
 * Sends the items of each group in requests of at most `max` items, one after the other, in the order of the items.
 * Returns the results in the order of the items, incomplete if one of them waits.
 */
export async function runBatch(batchRun: BatchRun): Promise<readonly Item[]> {
  const { run, delayed } = batchRun;
  const { context } = run;
  const results = new Map<number, readonly Item[]>();
  const finish = (index: number, items: readonly Item[]): void => {
    results.set(index, items);
    delayed.finish(index, items);
  };
  const fail = (index: number, thrown: unknown): void => {
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    finish(index, [{ json: { error: messageOf(thrown) }, pairedItem: { item: index } }]);
  };
  const prepare = async (index: number): Promise<BatchItem[]> => {
    const known = delayed.done(index);
    if (known !== undefined) results.set(index, known);
    if (known !== undefined || delayed.isWaiting) return [];
    await context.pause();
    const progress = delayed.progress(index);
    try {
      return [await prepareItem(batchRun, index, progress)];
    } catch (thrown) {
      if (thrown instanceof LongDelay) delayed.delay(index, progress, thrown);
      else fail(index, thrown);
      return [];
    }
  };
  const prepared = await runBatches(context.items.length, { size: undefined, intervalMs: 0 }, prepare, (ms) =>
    context.ports.clock.sleep(ms, context.signal),
  );
  for (const items of delayed.isWaiting ? [] : chunksOf(prepared.flat())) {
    try {
      for (const [index, output] of await sendItems(batchRun, items)) finish(index, output);
    } catch (thrown) {
      if (thrown instanceof LongDelay) {
        delayed.delay(items[0]?.index ?? 0, { steps: {}, binary: {}, entryFiles: [] }, thrown);
        break;
      }
      for (const { index } of items) fail(index, thrown);
    }
  }
  return [...results].sort(([one], [other]) => one - other).flatMap(([, items]) => items);
}

async function prepareItem(
  { run, operation, batch, request, key, reader }: BatchRun,
  index: number,
  progress: Progress,
): Promise<BatchItem> {
  const parameters = reader.read(index);
  if (operationKey(parameters.values) !== key) throw mixedOperations(index);
  const first = await itemTarget(operation, parameters, run, index);
  const target = operation.steps.length === 0 ? first : await runItemSteps(operation.steps, first, progress);
  const empty = { ...target, scope: target.scope.with({ $batch: [], $inputs: [] }) };
  const max = Math.max(1, Math.trunc(Number(batch.max.json(target.scope))) || 1);
  return {
    index,
    target,
    part: batch.of.json(target.scope) ?? null,
    group: `${target.credential?.type ?? ''} ${max} ${JSON.stringify(buildCall(request, empty))}`,
    max,
  };
}

/** The items of each request, in the order of their first ones. */
function chunksOf(items: readonly BatchItem[]): readonly (readonly BatchItem[])[] {
  const open = new Map<string, BatchItem[]>();
  const chunks: BatchItem[][] = [];
  for (const item of items) {
    const chunk = open.get(item.group);
    if (chunk !== undefined && chunk.length < item.max) chunk.push(item);
    else {
      const next = [item];
      open.set(item.group, next);
      chunks.push(next);
    }
  }
  return chunks;
}

/** @returns the results by item: the entry of the response at its place, or all entries with the first item */
async function sendItems(
  { operation: { list = '' }, request }: BatchRun,
  items: readonly BatchItem[],
): Promise<readonly (readonly [index: number, items: readonly Item[]])[]> {
  const [first] = items;
  if (first === undefined) return [];
  const { target } = first;
  const inputs = items.map(({ index }) => target.run.context.items[index]?.json ?? {});
  const scope = target.scope.with({ $batch: items.map(({ part }) => part), $inputs: inputs });
  const now = { ...target, scope };
  const response = await sendCall(request, buildCall(request, now), now);
  const entries = entriesOf(list, response, now);
  if (entries.length === items.length)
    return items.map(({ index }, place) => [index, itemsOf(entries.slice(place, place + 1), index)]);
  return items.map(({ index }, place) => [index, place === 0 ? itemsOf(entries, index) : []]);
}
