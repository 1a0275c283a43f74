import { InvalidRequest } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { createHash } from 'node:crypto';
import { PayloadTooLarge } from '../errors';
import { operationScope, requireWritable, type Actor } from './actor';
import type { Cells, DataTable, DataTableStore, Row, RowFilter, RowStore } from './data-table';
import { DataTableFull, DataTableNotFound } from './errors';
import { tableById } from './manage-tables';

/** Where rows are written. */
export interface RowPorts {
  readonly tables: DataTableStore;
  readonly rows: RowStore;
}

/** Rows of one table. */
export interface TableRows {
  readonly table: DataTable;
  readonly rows: readonly Row[];
}

/** Rows that one operation may change or delete: what comes back has to fit into one message. */
export const ROWS_AT_ONCE = 5_000;
const INSERTED_AT_ONCE = 1_000;
const MAX_ROWS = 50_000;

/** The table that the actor writes to. @throws DataTableNotFound, NotYourDataTable */
export const writableTable = async ({ tables }: RowPorts, actor: Actor, tableId: string): Promise<DataTable> => {
  const table = await tableById(tables, tableId);
  requireWritable(actor, table);
  return table;
};

/** What marks the writes of one operation. Without an id it is like no other. */
export const operationMark = (actor: Actor, tableId: string, operationId: string): string =>
  createHash('sha256')
    .update(operationId === '' ? uuidv7() : `${operationScope(actor)}:${tableId}:${operationId}`)
    .digest('base64url')
    .slice(0, 22);

/** @throws PayloadTooLarge if too many rows match to be written at once */
export const requireFew = async ({ rows }: RowPorts, table: DataTable, filter: RowFilter): Promise<void> => {
  if ((await rows.count(table.id, filter)) > ROWS_AT_ONCE)
    throw new PayloadTooLarge(
      `More than ${ROWS_AT_ONCE} rows match, which is too much for one operation. Add a condition.`,
    );
};

/**
 * Ids for new rows. What the table counts can be too much if a writer broke off, so it is counted anew before it is
 * called full.
 */
export const takeIds = async ({ tables, rows }: RowPorts, tableId: string, count: number): Promise<number> => {
  const first = await tables.takeRowIds(tableId, count, MAX_ROWS);
  if (first !== undefined) return first;
  await tableById(tables, tableId);
  await tables.setRowCount(tableId, await rows.count(tableId, { matchAll: true, conditions: [] }));
  const second = await tables.takeRowIds(tableId, count, MAX_ROWS);
  if (second === undefined) throw new DataTableFull(tableId, MAX_ROWS);
  return second;
};

/**
 * Adds rows. Those that the same operation added before are not added again, but given back like the others.
 * @throws DataTableFull, DataTableNotFound if the table was deleted meanwhile
 */
export const addRows = async (
  ports: RowPorts,
  table: DataTable,
  all: readonly Cells[],
  mark: string,
): Promise<readonly Row[]> => {
  if (all.length > INSERTED_AT_ONCE)
    throw new InvalidRequest(`At most ${INSERTED_AT_ONCE} rows can be added at once.`, [
      { field: 'values_json', message: 'Send them in several calls.' },
    ]);
  const { rows } = ports;
  const marks = all.map((_, index) => `${mark}:${index}`);
  const known = new Set((await rows.findInserted(table.id, marks)).map(({ insertedBy }) => insertedBy));
  const missing = all.flatMap((cells, index) =>
    known.has(marks[index] ?? '') ? [] : [{ cells, insertedBy: marks[index] ?? '' }],
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
  const stored = new Map((await rows.findInserted(table.id, marks)).map((row) => [row.insertedBy, row]));
  return marks.flatMap((one) => stored.get(one) ?? []);
};
