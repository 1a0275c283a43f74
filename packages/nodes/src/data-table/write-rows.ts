import type { JsonObject } from '@weft/node-catalogue';
import type { DataTable, Item, NodeContext, RowFilter, TableRow } from '@weft/engine';
import { nodeRunOperation } from '../shared/persistent-state/node-key';
import { booleanParameter } from '../shared/read-parameter';
import { TableFinder } from './find-table';
import { forEachItem, madeOf } from './for-each-item';
import { matchingRows } from './read-rows';
import { rowValues, someRowFilter } from './row-parameters';

/** Limits of the rows that are sent at once: number, and size in characters. */
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 4_000_000;

/** Adds a row for each item. With `optimizeBulk` the node outputs their number instead of the rows. */
export async function insertRows(context: NodeContext): Promise<Item[]> {
  if (booleanParameter(context, 'options.optimizeBulk', 0)) {
    const rows = await insertTogether(context);
    return [{ json: { success: true, insertedRows: rows.length } }];
  }
  // All at once is faster, but only one at a time shows which row fails.
  return context.continueOnFail ? insertOneByOne(context) : insertTogether(context);
}

/** Changes or deletes the matching rows, for one item at a time, and outputs them. */
export function changeRows(context: NodeContext, operation: 'update' | 'upsert' | 'deleteRows'): Promise<Item[]> {
  const tables = new TableFinder(context);
  return forEachItem(context, 1, async (index) => {
    const table = await tables.of(index);
    const filter = someRowFilter(context, index);
    const values = operation === 'deleteRows' ? undefined : rowValues(context, index);
    if (booleanParameter(context, 'options.dryRun', index))
      return madeOf(
        index,
        beforeAndAfter(table, await matchingRows(context, table.id, filter), values, operation === 'upsert'),
      );
    return madeOf(
      index,
      await change(context, table, filter, values, operation === 'upsert', `${nodeRunOperation(context)}:${index}`),
    );
  });
}

async function insertTogether(context: NodeContext): Promise<Item[]> {
  const tables = new TableFinder(context);
  const made: Item[] = [];
  let batch:
    { readonly tableId: string; readonly from: number; readonly rows: JsonObject[]; characters: number } | undefined;
  const send = async (): Promise<void> => {
    if (batch === undefined) return;
    const { tableId, from, rows } = batch;
    const stored = await context.ports.dataTables.insert(tableId, rows, `${nodeRunOperation(context)}:from:${from}`);
    made.push(...stored.map((json, offset) => ({ json, pairedItem: { item: from + offset } })));
    batch = undefined;
  };
  for (const index of context.items.keys()) {
    await context.pause();
    const { id } = await tables.of(index);
    const values = rowValues(context, index);
    const { length } = JSON.stringify(values);
    if (
      batch !== undefined &&
      (batch.tableId !== id || batch.rows.length >= BATCH_ROWS || batch.characters + length > BATCH_CHARACTERS)
    )
      await send();
    batch ??= { tableId: id, from: index, rows: [], characters: 0 };
    batch.rows.push(values);
    batch.characters += length;
  }
  await send();
  return made;
}

function insertOneByOne(context: NodeContext): Promise<Item[]> {
  const tables = new TableFinder(context);
  return forEachItem(context, 1, async (index) => {
    const { id } = await tables.of(index);
    return madeOf(
      index,
      await context.ports.dataTables.insert(
        id,
        [rowValues(context, index)],
        `${nodeRunOperation(context)}:item:${index}`,
      ),
    );
  });
}

function change(
  { ports }: NodeContext,
  { id }: DataTable,
  filter: RowFilter,
  values: JsonObject | undefined,
  adds: boolean,
  operation: string,
): Promise<readonly TableRow[]> {
  if (values === undefined) return ports.dataTables.removeRows(id, filter, operation);
  return adds
    ? ports.dataTables.upsert(id, filter, values, operation)
    : ports.dataTables.update(id, filter, values, operation);
}

/** Preview of a change: every row twice, before and after. A row that does not exist has no values. */
function beforeAndAfter(
  { columns }: DataTable,
  rows: readonly TableRow[],
  values: JsonObject | undefined,
  adds: boolean,
): JsonObject[] {
  const nothing: TableRow = {
    id: null,
    createdAt: null,
    updatedAt: null,
    ...Object.fromEntries(columns.map(({ name }) => [name, null])),
  };
  const meant = rows.length === 0 && adds ? [nothing] : rows;
  return meant.flatMap((row) => [
    { ...row, dryRunState: 'before' },
    { ...(values === undefined ? { ...nothing, id: row['id'] ?? null } : { ...row, ...values }), dryRunState: 'after' },
  ]);
}
