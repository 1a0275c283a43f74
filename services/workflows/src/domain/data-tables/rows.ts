import type { Actor } from './actor';
import type { Cells, DataTable, Row, RowFilter } from './data-table';
import { queryRows, type RowPage, type RowsQuery } from './query-rows';
import { readCells } from './read-cells';
import { readSomeFilter, type FilterInput } from './read-filter';
import {
  addRows,
  addUnlessMatched,
  loadForWriting,
  MAX_ROWS_AT_ONCE,
  operationKey,
  requireFew,
  type RowPorts,
  type TableRows,
} from './write-rows';

/** A change of the matching rows. */
export interface RowChange {
  readonly filter: FilterInput | undefined;
  /** JSON object of values by column; omitted columns are unchanged. */
  readonly valuesJson: string;
  /** Idempotency key of the operation; empty: it is never repeated. */
  readonly operationId: string;
}

/** Use cases of rows. A repeated operation returns the same rows, and has no further effect. */
export interface RowUseCases {
  /** @throws DataTableNotFound, InvalidRequest */
  readonly queryRows: (tableId: string, query: RowsQuery) => Promise<RowPage>;
  /** @throws InvalidRequest, DataTableNotFound, NotYourDataTable, DataTableFull, PayloadTooLarge */
  readonly insertRows: (
    actor: Actor,
    tableId: string,
    valuesJson: readonly string[],
    operationId: string,
  ) => Promise<TableRows>;
  /** Returns the changed rows. @throws InvalidRequest, DataTableNotFound, NotYourDataTable, PayloadTooLarge */
  readonly updateRows: (actor: Actor, tableId: string, change: RowChange) => Promise<TableRows>;
  /** Returns the changed rows, or the added one. @throws the same, and DataTableFull */
  readonly upsertRow: (actor: Actor, tableId: string, change: RowChange) => Promise<TableRows>;
  /**
   * Returns the rows as they were before.
   * @throws InvalidRequest, DataTableNotFound, NotYourDataTable, PayloadTooLarge
   */
  readonly deleteRows: (
    actor: Actor,
    tableId: string,
    params: Pick<RowChange, 'filter' | 'operationId'>,
  ) => Promise<TableRows>;
}

const MAX_DELETION_CHARACTERS = 2_000_000;

/** A change with its parsed filter and values. */
interface CheckedChange {
  readonly table: DataTable;
  readonly filter: RowFilter;
  readonly cells: Cells;
  readonly operation: string;
}

const readChange = async (
  ports: RowPorts,
  actor: Actor,
  tableId: string,
  { filter, valuesJson, operationId }: RowChange,
): Promise<CheckedChange> => {
  const table = await loadForWriting(ports, actor, tableId);
  return {
    table,
    filter: readSomeFilter(table.columns, filter),
    cells: readCells(table.columns, valuesJson, 'valuesJson'),
    operation: operationKey(actor, tableId, operationId),
  };
};

const write = async (ports: RowPorts, { table, filter, cells, operation }: CheckedChange): Promise<readonly Row[]> => {
  await requireFew(ports, table, filter);
  await ports.rows.update(table.id, filter, cells, operation, new Date());
  // Also finds rows that the same operation wrote before it was interrupted, even if they no longer match.
  return ports.rows.findWritten(table.id, operation, MAX_ROWS_AT_ONCE);
};

const updateRows = async (ports: RowPorts, actor: Actor, tableId: string, change: RowChange): Promise<TableRows> => {
  const checked = await readChange(ports, actor, tableId, change);
  return { table: checked.table, rows: await write(ports, checked) };
};

const upsertRow = async (ports: RowPorts, actor: Actor, tableId: string, change: RowChange): Promise<TableRows> => {
  const checked = await readChange(ports, actor, tableId, change);
  const { table, filter, cells, operation } = checked;
  const changed = await write(ports, checked);
  return {
    table,
    rows:
      changed.length > 0
        ? changed
        : await addUnlessMatched(ports, table, filter, cells, operation, () => write(ports, checked)),
  };
};

/** Restores the dates of rows that were stored as JSON. */
const parseRows = (rowsJson: string, dates: ReadonlySet<string>): Row[] => {
  const rows: Row[] = JSON.parse(rowsJson, (key, value: unknown) =>
    dates.has(key) && typeof value === 'string' ? new Date(value) : value,
  );
  return rows;
};

const deleteRows = async (
  ports: RowPorts,
  actor: Actor,
  tableId: string,
  { filter: input, operationId }: Pick<RowChange, 'filter' | 'operationId'>,
): Promise<TableRows> => {
  const { tables, rows } = ports;
  const table = await loadForWriting(ports, actor, tableId);
  const filter = readSomeFilter(table.columns, input);
  const operation = operationKey(actor, tableId, operationId);
  const known = operationId === '' ? undefined : await rows.findDeletion(operation);
  if (known === undefined) await requireFew(ports, table, filter);
  const found =
    known === undefined
      ? await rows.query(tableId, {
          filter,
          orderBy: 'id',
          descending: false,
          skip: 0,
          afterId: undefined,
          limit: MAX_ROWS_AT_ONCE,
        })
      : parseRows(
          known,
          new Set([
            'createdAt',
            'updatedAt',
            ...table.columns.filter(({ type }) => type === 'date').map(({ name }) => name),
          ]),
        );
  const rowsJson = known === undefined && operationId !== '' ? JSON.stringify(found) : '';
  if (rowsJson !== '' && rowsJson.length <= MAX_DELETION_CHARACTERS) await rows.storeDeletion(operation, rowsJson);
  const removed = await rows.removeRows(
    tableId,
    found.map(({ id }) => id),
  );
  if (removed > 0) await tables.countDeleted(tableId, removed);
  return { table, rows: found };
};

export const rowUseCases = (ports: RowPorts): RowUseCases => ({
  queryRows: (tableId, query) => queryRows(ports.tables, ports.rows, tableId, query),
  insertRows: async (actor, tableId, valuesJson, operationId) => {
    const table = await loadForWriting(ports, actor, tableId);
    return {
      table,
      rows: await addRows(
        ports,
        table,
        valuesJson.map((values, index) => readCells(table.columns, values, `valuesJson[${index}]`)),
        operationKey(actor, tableId, operationId),
      ),
    };
  },
  updateRows: (actor, tableId, change) => updateRows(ports, actor, tableId, change),
  upsertRow: (actor, tableId, change) => upsertRow(ports, actor, tableId, change),
  deleteRows: (actor, tableId, params) => deleteRows(ports, actor, tableId, params),
});
