import { type Item, type NodeContext, NodeFailure, type RowFilter, type RowQuery, type TableRow } from '@weft/engine';
import { booleanParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { TableFinder } from './find-table';
import { AT_ONCE, forEachItem, madeOf } from './for-each-item';
import { rowFilter, someRowFilter } from './row-parameters';

/** Maximum number of rows for one item. No table has more. */
const MAX_LIMIT = 50_000;
const PAGE = 1_000;

/** The rows that match, for each item. */
export function getRows(context: NodeContext): Promise<Item[]> {
  const tables = new TableFinder(context);
  return forEachItem(context, AT_ONCE, async (index) => {
    const { id } = await tables.of(index);
    const limit = booleanParameter(context, 'returnAll', index) ? MAX_LIMIT : rowLimit(context, index);
    return madeOf(
      index,
      await rowsOf(context, id, { filter: rowFilter(context, index), ...order(context, index) }, limit),
    );
  });
}

/** The items for which a row matches, or for which none does. The items are unchanged. */
export function keepByRow(context: NodeContext, exists: boolean): Promise<Item[]> {
  const tables = new TableFinder(context);
  return forEachItem(context, AT_ONCE, async (index) => {
    const { id } = await tables.of(index);
    const found = await rowsOf(
      context,
      id,
      { filter: someRowFilter(context, index), orderBy: '', descending: false },
      1,
    );
    const item = context.items[index];
    return item === undefined || found.length > 0 !== exists ? [] : [{ ...item, pairedItem: { item: index } }];
  });
}

/** All matching rows up to a number. */
export async function rowsOf(
  { ports, signal }: NodeContext,
  tableId: string,
  query: Pick<RowQuery, 'filter' | 'orderBy' | 'descending'>,
  limit: number,
): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  let cursor = '';
  do {
    signal.throwIfAborted();
    const part = await ports.dataTables.query(tableId, {
      ...query,
      limit: Math.min(PAGE, limit - rows.length),
      cursor,
    });
    rows.push(...part.rows);
    cursor = part.nextCursor;
  } while (cursor !== '' && rows.length < limit);
  return rows;
}

/** The rows that a change would affect. */
export function matchingRows(context: NodeContext, tableId: string, filter: RowFilter): Promise<TableRow[]> {
  return rowsOf(context, tableId, { filter, orderBy: '', descending: false }, MAX_LIMIT);
}

function rowLimit(context: NodeContext, index: number): number {
  const limit = Math.trunc(numberParameter(context, 'limit', index));
  if (limit < 1) throw new NodeFailure('The limit must be at least 1', { itemIndex: index });
  return Math.min(limit, MAX_LIMIT);
}

function order(context: NodeContext, index: number): Pick<RowQuery, 'orderBy' | 'descending'> {
  if (!booleanParameter(context, 'orderBy', index)) return { orderBy: '', descending: false };
  return {
    orderBy: textParameter(context, 'orderByColumn', index),
    descending: textParameter(context, 'orderByDirection', index, 'DESC').toUpperCase() === 'DESC',
  };
}
