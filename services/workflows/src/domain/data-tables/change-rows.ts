import type { Actor } from './actor';
import type { Cells, DataTable, Row, RowFilter } from './data-table';
import { readCells } from './read-cells';
import { readSomeFilter, type FilterInput } from './read-filter';
import { addUnlessMatched } from './upsert-row';
import {
  addRows,
  operationMark,
  requireFew,
  ROWS_AT_ONCE,
  writableTable,
  type RowPorts,
  type TableRows,
} from './write-rows';

/** A change of the rows that match. */
export interface RowChange {
  readonly filter: FilterInput | undefined;
  /** JSON object, values by column; columns that are left out stay. */
  readonly valuesJson: string;
  /** What writes; empty: nothing that is repeated. */
  readonly operationId: string;
}

/** What can be done to rows. An operation that is repeated gives the same rows, and changes nothing a second time. */
export interface ChangeRows {
  /** @throws InvalidRequest, DataTableNotFound, NotYourDataTable, DataTableFull, PayloadTooLarge */
  readonly insert: (
    actor: Actor,
    tableId: string,
    valuesJson: readonly string[],
    operationId: string,
  ) => Promise<TableRows>;
  /** The rows that were changed. @throws InvalidRequest, DataTableNotFound, NotYourDataTable, PayloadTooLarge */
  readonly update: (actor: Actor, tableId: string, change: RowChange) => Promise<TableRows>;
  /** The rows that were changed, or the one that was added. @throws the same, and DataTableFull */
  readonly upsert: (actor: Actor, tableId: string, change: RowChange) => Promise<TableRows>;
  /** What the rows were. @throws InvalidRequest, DataTableNotFound, NotYourDataTable, PayloadTooLarge */
  readonly remove: (
    actor: Actor,
    tableId: string,
    params: Pick<RowChange, 'filter' | 'operationId'>,
  ) => Promise<TableRows>;
}

const MAX_DELETION_CHARACTERS = 2_000_000;

/** A change that was checked. */
interface CheckedChange {
  readonly table: DataTable;
  readonly meant: RowFilter;
  readonly cells: Cells;
  readonly mark: string;
}

const check = async (
  ports: RowPorts,
  actor: Actor,
  tableId: string,
  { filter, valuesJson, operationId }: RowChange,
): Promise<CheckedChange> => {
  const table = await writableTable(ports, actor, tableId);
  return {
    table,
    meant: readSomeFilter(table.columns, filter),
    cells: readCells(table.columns, valuesJson),
    mark: operationMark(actor, tableId, operationId),
  };
};

const write = async (ports: RowPorts, { table, meant, cells, mark }: CheckedChange): Promise<readonly Row[]> => {
  await requireFew(ports, table, meant);
  await ports.rows.update(table.id, meant, cells, mark, new Date());
  // What the same operation wrote before it broke off has its mark as well, even if it does not match any more.
  return ports.rows.findWritten(table.id, mark, ROWS_AT_ONCE);
};

const update = async (ports: RowPorts, actor: Actor, tableId: string, change: RowChange): Promise<TableRows> => {
  const checked = await check(ports, actor, tableId, change);
  return { table: checked.table, rows: await write(ports, checked) };
};

const upsert = async (ports: RowPorts, actor: Actor, tableId: string, change: RowChange): Promise<TableRows> => {
  const checked = await check(ports, actor, tableId, change);
  const { table, meant, cells, mark } = checked;
  const changed = await write(ports, checked);
  return {
    table,
    rows:
      changed.length > 0
        ? changed
        : await addUnlessMatched(ports, table, meant, cells, mark, () => write(ports, checked)),
  };
};

/** Dates of rows that were kept as JSON come back as texts. */
const revive = (rowsJson: string, dates: ReadonlySet<string>): Row[] => {
  const rows: Row[] = JSON.parse(rowsJson, (key, value: unknown) =>
    dates.has(key) && typeof value === 'string' ? new Date(value) : value,
  );
  return rows;
};

const remove = async (
  ports: RowPorts,
  actor: Actor,
  tableId: string,
  { filter, operationId }: Pick<RowChange, 'filter' | 'operationId'>,
): Promise<TableRows> => {
  const { tables, rows } = ports;
  const table = await writableTable(ports, actor, tableId);
  const meant = readSomeFilter(table.columns, filter);
  const mark = operationMark(actor, tableId, operationId);
  const known = operationId === '' ? undefined : await rows.findDeletion(mark);
  if (known === undefined) await requireFew(ports, table, meant);
  const found =
    known === undefined
      ? await rows.query(tableId, {
          filter: meant,
          orderBy: 'id',
          descending: false,
          skip: 0,
          afterId: undefined,
          limit: ROWS_AT_ONCE,
        })
      : revive(
          known,
          new Set([
            'createdAt',
            'updatedAt',
            ...table.columns.filter(({ type }) => type === 'date').map(({ name }) => name),
          ]),
        );
  const text = known === undefined && operationId !== '' ? JSON.stringify(found) : '';
  if (text !== '' && text.length <= MAX_DELETION_CHARACTERS) await rows.rememberDeletion(mark, text);
  const removed = await rows.removeRows(
    tableId,
    found.map(({ id }) => id),
  );
  if (removed > 0) await tables.countDeleted(tableId, removed);
  return { table, rows: found };
};

/** Changes rows in their store. */
export const createChangeRows = (ports: RowPorts): ChangeRows => ({
  insert: async (actor, tableId, valuesJson, operationId) => {
    const table = await writableTable(ports, actor, tableId);
    return {
      table,
      rows: await addRows(
        ports,
        table,
        valuesJson.map((values) => readCells(table.columns, values)),
        operationMark(actor, tableId, operationId),
      ),
    };
  },
  update: (actor, tableId, change) => update(ports, actor, tableId, change),
  upsert: (actor, tableId, change) => upsert(ports, actor, tableId, change),
  remove: (actor, tableId, params) => remove(ports, actor, tableId, params),
});
