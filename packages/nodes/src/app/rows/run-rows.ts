import { operationKey } from '@weft/app-model';
import { type Item, NodeFailure } from '@weft/engine';
import type { RequestSettings } from '../../shared/http/settings';
import type { AppRun } from '../app-run';
import { buildCall } from '../build-call';
import { chooseCredential } from '../choose-credential';
import type { DelayedItems } from '../delayed-items';
import type { PreparedOperation } from '../prepare-app';
import type { ItemParameters, ParameterReader } from '../read-parameters';
import { refuseItem, scopeOf } from '../run-operation';
import { runSteps } from '../steps/run-steps';
import { type CallResponse, type CallTarget, LongDelay, sendCall } from '../send-call';
import { ItemResults, noProgress } from '../item-results';
import type { PreparedRows } from './prepare-rows';
import { readItems } from './read-items';
import { writeItems } from './write-items';

/** An operation with the block `rows`, for all items of a node run. */
export interface RowsRun {
  readonly run: AppRun;
  readonly operation: PreparedOperation;
  readonly rows: PreparedRows;
  /** `RESOURCE.OPERATION`, which all items must have. */
  readonly key: string;
  readonly reader: ParameterReader;
  readonly delayed: DelayedItems;
}

/** An item, and what its templates see. */
export interface RowsItem {
  readonly index: number;
  readonly parameters: ItemParameters;
  readonly target: CallTarget;
  /** The request that reads its table. Items with the same one share the table. */
  readonly read: RequestSettings;
}

/**
 * Runs the operation once for each table that the items name: the table is read, the items are mapped, and everything
 * is written at once. Returns the results in the order of the items, incomplete if one of them waits.
 */
export async function runRows(rowsRun: RowsRun): Promise<readonly Item[]> {
  const { run, rows, delayed } = rowsRun;
  const results = new ItemResults(run, delayed);
  const steps = new Map<string, Promise<CallResponse>>();
  const prepared = await results.forItems((index) => prepareItem(rowsRun, index, steps), {
    delay: (index, _progress, thrown) => delay(delayed, index, thrown),
  });
  const tables = tablesOf(prepared);
  await results.each(tables.length, async (table) => {
    const items = tables[table] ?? [];
    if (delayed.isWaiting) return;
    try {
      await (rows.mode === 'read' ? readItems(rows, items, run, results) : writeItems(rows, items, run, results));
    } catch (thrown) {
      if (thrown instanceof LongDelay) delay(delayed, items[0]?.index ?? 0, thrown);
      else for (const { index } of items) if (!results.has(index)) results.fail(index, thrown);
    }
  });
  return results.inOrder();
}

/** Several items may wait for the same response: one delay stands for all. */
function delay(delayed: DelayedItems, index: number, thrown: LongDelay): void {
  if (!delayed.isWaiting) delayed.delay(index, noProgress(), thrown);
}

/** The failure of an item whose operation differs from that of the first item, of which one works on all items. */
export function mixedOperations(itemIndex: number): NodeFailure {
  return new NodeFailure('An operation on rows must be that of all items.', {
    itemIndex,
    description: 'Use one node for each operation.',
  });
}

async function prepareItem(
  { run, operation, rows, key, reader }: RowsRun,
  index: number,
  steps: Map<string, Promise<CallResponse>>,
): Promise<RowsItem> {
  const parameters = reader.read(index);
  if (operationKey(parameters.values) !== key) throw mixedOperations(index);
  const credential = await chooseCredential(run, parameters.values);
  const scope = scopeOf(operation, parameters, run, index, credential?.publicFields ?? {});
  refuseItem(operation, scope, index);
  const after = await runSteps(operation.steps, { run, itemIndex: index, scope, credential }, (as, request, target) => {
    const settings = buildCall(request, target);
    const shared = `${as} ${credential?.type ?? ''} ${JSON.stringify(settings)}`;
    const response = steps.get(shared) ?? sendCall(request, settings, target);
    steps.set(shared, response);
    return response;
  });
  const target = { ...after, scope: after.scope.withLet(rows.let) };
  return { index, parameters, target, read: buildCall(rows.read, target) };
}

/** The items of each table, in the order in which the tables are named. */
function tablesOf(items: readonly RowsItem[]): readonly (readonly RowsItem[])[] {
  const tables = new Map<string, RowsItem[]>();
  for (const item of items) {
    const key = `${item.target.credential?.type ?? ''} ${JSON.stringify(item.read)}`;
    const table = tables.get(key);
    if (table === undefined) tables.set(key, [item]);
    else table.push(item);
  }
  return [...tables.values()];
}
