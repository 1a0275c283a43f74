import { operationKey } from '@weft/app-model';
import type { Json } from '@weft/node-catalogue';
import type { Item } from '@weft/engine';
import type { AppRun } from '../app-run';
import { buildCall } from '../build-call';
import type { DelayedItems } from '../delayed-items';
import { entriesOf } from '../fetch-list';
import type { PreparedBatch, PreparedOperation } from '../prepare-app';
import type { PreparedRequest } from '../prepare-request';
import type { ParameterReader } from '../read-parameters';
import { ItemResults, noProgress } from '../item-results';
import { mixedOperations } from '../rows/run-rows';
import { type ItemTarget, type Progress, runItemSteps } from '../steps/run-item-steps';
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
  const results = new ItemResults(run, delayed);
  const prepared = await results.forItems((index, progress) => prepareItem(batchRun, index, progress));
  for (const items of chunksOf(prepared)) {
    try {
      for (const [index, output] of await sendItems(batchRun, items)) results.finish(index, output);
    } catch (thrown) {
      if (thrown instanceof LongDelay) {
        delayed.delay(items[0]?.index ?? 0, noProgress(), thrown);
        break;
      }
      for (const { index } of items) results.fail(index, thrown);
    }
  }
  return results.inOrder();
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
