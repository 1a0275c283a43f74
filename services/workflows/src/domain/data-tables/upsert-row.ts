import { Unavailable } from '@weft/service-kit/errors';
import { createHash } from 'node:crypto';
import type { Cells, DataTable, Row, RowFilter } from './data-table';
import { DataTableNotFound } from './errors';
import { takeIds, type RowPorts } from './write-rows';

/** How often an upsert begins anew because others added a row for the same filter meanwhile. */
const TRIES = 8;

/** What names the rows that upserts of one filter add: the same conditions, in whatever order, have the same name. */
const nameOf = (tableId: string, { matchAll, conditions }: RowFilter): string => {
  const texts = conditions.map(({ column, comparison }) => JSON.stringify([column, comparison])).sort();
  return `up:${createHash('sha256')
    .update(JSON.stringify([tableId, matchAll, texts]))
    .digest('base64url')
    .slice(0, 22)}`;
};

const keyOf = (name: string, number: number): string => `${name}:${String(number).padStart(9, '0')}`;

/** Adds the row, unless one with the same key is there. */
const tryAdd = async (
  { tables, rows }: RowPorts,
  table: DataTable,
  cells: Cells,
  key: string,
  mark: string,
): Promise<Row | undefined> => {
  const now = new Date();
  const row: Row = { id: await takeIds({ tables, rows }, table.id, 1), cells, createdAt: now, updatedAt: now };
  if (!(await rows.insertUnlessTaken(table.id, { ...row, insertedBy: key, writtenBy: mark }))) {
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
 * Adds a row if none matches, as one step: rows that upserts of one filter add are numbered, and no number is given
 * twice. Whoever finds its number taken looks for matching rows again, and finds the row that took it.
 * @param update changes the rows that match, and gives those that were changed.
 * @throws DataTableFull, DataTableNotFound, Unavailable if others were faster again and again
 */
export const addUnlessMatched = async (
  ports: RowPorts,
  table: DataTable,
  filter: RowFilter,
  cells: Cells,
  mark: string,
  update: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> => {
  const name = nameOf(table.id, filter);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const last = await ports.rows.lastInserted(`${name}:`);
    const changed = await update();
    if (changed.length > 0) return changed;
    const key = keyOf(name, last === undefined ? 0 : Number(last.slice(name.length + 1)) + 1);
    const added = await tryAdd(ports, table, cells, key, mark);
    if (added !== undefined) return [added];
  }
  throw new Unavailable('Others add rows for the same filter again and again. Try again.');
};
