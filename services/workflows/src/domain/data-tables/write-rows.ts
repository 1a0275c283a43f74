import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { createHash } from 'node:crypto';
import { PayloadTooLarge } from '../errors';
import { mayWriteRows, operationScope, type Actor } from './actor';
import type { ScopedTables } from '../scoped-stores';
import type { Cells, DataTable, Row, RowFilter, RowStore } from './data-table';
import { DataTableFull, DataTableNotFound, NotYourDataTable } from './errors';
import { loadTable } from './tables';

export interface RowPorts {
  readonly tables: ScopedTables;
  readonly rows: RowStore;
}

export interface TableRows {
  readonly table: DataTable;
  readonly rows: readonly Row[];
}

/** Maximum rows that one operation may change or delete, because they are returned in one message. */
export const MAX_ROWS_AT_ONCE = 5_000;
const MAX_INSERTED_AT_ONCE = 1_000;
const MAX_ROWS = 50_000;

/** A table whose rows the actor may write. @throws DataTableNotFound, NotYourDataTable */
export const loadForWriting = async ({ tables }: RowPorts, actor: Actor, tableId: string): Promise<DataTable> => {
  const table = await loadTable(tables, tableId);
  if (!mayWriteRows(actor, table)) throw new NotYourDataTable(tableId);
  return table;
};

/** Key of the writes of one operation; unique if the operation has no id. */
export const operationKey = (actor: Actor, tableId: string, operationId: string): string =>
  createHash('sha256')
    .update(operationId === '' ? uuidv7() : `${operationScope(actor)}:${tableId}:${operationId}`)
    .digest('base64url')
    .slice(0, 22);

/** @throws PayloadTooLarge if too many rows match to be written at once */
export const requireFew = async ({ rows }: RowPorts, table: DataTable, filter: RowFilter): Promise<void> => {
  if ((await rows.count(table.id, filter)) > MAX_ROWS_AT_ONCE)
    throw new PayloadTooLarge(`More than ${MAX_ROWS_AT_ONCE} rows match, too many for one operation. Add a condition.`);
};

/**
 * Reserves ids for new rows. An interrupted writer leaves the counter too high, so rows are counted again before the
 * table counts as full.
 */
const takeIds = async ({ tables, rows }: RowPorts, tableId: string, count: number): Promise<number> => {
  const first = await tables.takeRowIds(tableId, count, MAX_ROWS);
  if (first !== undefined) return first;
  await loadTable(tables, tableId);
  await tables.setRowCount(tableId, await rows.count(tableId, { matchAll: true, conditions: [] }));
  const second = await tables.takeRowIds(tableId, count, MAX_ROWS);
  if (second === undefined) throw new DataTableFull(tableId, MAX_ROWS);
  return second;
};

/**
 * Adds rows. Rows that the same operation added before are returned, not added again.
 * @throws DataTableFull; DataTableNotFound if the table was deleted meanwhile
 */
export const addRows = async (
  ports: RowPorts,
  table: DataTable,
  all: readonly Cells[],
  operation: string,
): Promise<readonly Row[]> => {
  if (all.length > MAX_INSERTED_AT_ONCE)
    throw new InvalidRequest(`At most ${MAX_INSERTED_AT_ONCE} rows can be added at once.`, [
      { field: 'valuesJson', message: 'Send them in several calls.' },
    ]);
  const { rows } = ports;
  const keys = all.map((_, index) => `${operation}:${index}`);
  const known = new Set((await rows.findInserted(table.id, keys)).map(({ insertedBy }) => insertedBy));
  const missing = all.flatMap((cells, index) =>
    known.has(keys[index] ?? '') ? [] : [{ cells, insertedBy: keys[index] ?? '' }],
  );
  if (missing.length > 0) {
    const first = await takeIds(ports, table.id, missing.length);
    const now = new Date();
    await rows.insert(
      table.id,
      missing.map((row, index) => ({ ...row, id: first + index, createdAt: now, updatedAt: now })),
    );
    // A table that was deleted meanwhile must not leave rows behind.
    if ((await ports.tables.find(table.id)) === undefined) {
      await rows.removeAll(table.id);
      throw new DataTableNotFound(table.id);
    }
  }
  const stored = new Map((await rows.findInserted(table.id, keys)).map((row) => [row.insertedBy, row]));
  return keys.flatMap((one) => stored.get(one) ?? []);
};

/** Maximum attempts of an upsert while others keep adding a row for the same filter. */
const MAX_UPSERT_ATTEMPTS = 8;

/** Key prefix of the rows added by upserts of one filter. Filters with the same conditions in any order share it. */
const upsertPrefix = (tableId: string, { matchAll, conditions }: RowFilter): string => {
  const texts = conditions.map(({ column, comparison }) => JSON.stringify([column, comparison])).sort();
  return `up:${createHash('sha256')
    .update(JSON.stringify([tableId, matchAll, texts]))
    .digest('base64url')
    .slice(0, 22)}`;
};

const upsertKey = (prefix: string, number: number): string => `${prefix}:${String(number).padStart(9, '0')}`;

/** Adds the row, unless one with the same key exists. */
const tryAdd = async (
  { tables, rows }: RowPorts,
  table: DataTable,
  cells: Cells,
  key: string,
  operation: string,
): Promise<Row | undefined> => {
  const now = new Date();
  const row: Row = { id: await takeIds({ tables, rows }, table.id, 1), cells, createdAt: now, updatedAt: now };
  if (!(await rows.insertUnlessTaken(table.id, { ...row, insertedBy: key, writtenBy: operation }))) {
    await tables.countDeleted(table.id, 1);
    return undefined;
  }
  // A table that was deleted meanwhile must not leave a row behind.
  if ((await tables.find(table.id)) === undefined) {
    await rows.removeAll(table.id);
    throw new DataTableNotFound(table.id);
  }
  return row;
};

/**
 * Adds a row if none matches, atomically: rows added by upserts of one filter are numbered, and no number is used
 * twice. An upsert whose number is taken searches for matching rows again, and finds the row that took it.
 * @param update changes the matching rows and returns them
 * @throws DataTableFull, DataTableNotFound; Unavailable if others were faster at every attempt
 */
export const addUnlessMatched = async (
  ports: RowPorts,
  table: DataTable,
  filter: RowFilter,
  cells: Cells,
  operation: string,
  update: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const prefix = upsertPrefix(table.id, filter);
  return ports.rows.inTurn(prefix, async () => {
    for (let attempt = 0; attempt < MAX_UPSERT_ATTEMPTS; attempt += 1) {
      const last = await ports.rows.lastInserted(`${prefix}:`);
      const changed = await update();
      if (changed.length > 0) return changed;
      const key = upsertKey(prefix, last === undefined ? 0 : Number(last.slice(prefix.length + 1)) + 1);
      const added = await tryAdd(ports, table, cells, key, operation);
      if (added !== undefined) return [added];
    }
    throw new Unavailable('Concurrent upserts keep adding rows for the same filter. Try again.');
  });
};
