import {
  DataTableServiceService,
  type DataTable as TableMessage,
  type DataTableRow,
  type RowFilter as FilterMessage,
} from '@weft/proto/data-tables';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError, ServiceError } from '@weft/service-kit/errors';
import { createCaller, type Calls } from '@weft/service-kit/grpc';
import { parseJson } from '@weft/service-kit/json';
import type { Fenced } from '../domain/claims/held/execution-store';
import type { DataTable, DataTables, RowFilter, TableRow } from '@weft/engine';

/** The runner's client of the workflows service for data tables. */
export interface DataTablesClient {
  /** Tables for one run: every call carries its claim. Methods throw ServiceError. */
  readonly of: (claim: Fenced) => DataTables;
  readonly close: () => void;
}

/** There are at most 200 tables. */
const PAGE = 100;
const MAX_PAGES = 10;
/** Changing many rows takes time. */
const DEADLINE_MS = 30_000;

const tableOf = (table: TableMessage | undefined): DataTable => {
  if (table === undefined) throw new InternalError(new Error('The response of the workflows service has no table.'));
  const { id, name, columns, createdAt, updatedAt } = table;
  return {
    id,
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    createdAt: createdAt?.toISOString() ?? '',
    updatedAt: updatedAt?.toISOString() ?? '',
  };
};

const rowOf = ({ id, valuesJson, createdAt, updatedAt }: DataTableRow): TableRow => {
  const values = parseJson(Buffer.from(valuesJson));
  return {
    id,
    createdAt: createdAt?.toISOString() ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
    ...(typeof values === 'object' && !Array.isArray(values) ? values : {}),
  };
};

const filterOf = ({ matchAll, conditions }: RowFilter): FilterMessage => ({
  matchAll,
  conditions: conditions.map(({ column, condition, value }) => ({
    column,
    condition,
    valueJson: value === undefined ? '' : JSON.stringify(value),
  })),
});

const tablesOf = (calls: Calls<typeof DataTableServiceService>, { executionId, fence }: Fenced): DataTables => {
  const claim = { executionId, fence };
  const slow = { deadlineMs: DEADLINE_MS };
  return {
    find: async (by) => {
      try {
        return tableOf(
          (
            await calls.getDataTable({
              dataTableId: '',
              name: '',
              ...('id' in by ? { dataTableId: by.id } : by),
              claim,
            })
          ).dataTable,
        );
      } catch (error) {
        if (error instanceof ServiceError && error.reason === 'DATA_TABLE_NOT_FOUND') return undefined;
        throw error;
      }
    },
    list: async () => {
      const all: DataTable[] = [];
      let cursor = '';
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { dataTables, nextCursor } = await calls.listDataTables({ limit: PAGE, cursor, claim });
        all.push(...dataTables.map(tableOf));
        if (nextCursor === '') break;
        cursor = nextCursor;
      }
      return all;
    },
    create: async (name, columns) =>
      tableOf(
        (await calls.createDataTable({ name, columns: columns.map((column) => ({ ...column })), claim })).dataTable,
      ),
    rename: async (dataTableId, name) => tableOf((await calls.renameDataTable({ dataTableId, name, claim })).dataTable),
    remove: async (dataTableId) => {
      await calls.deleteDataTable({ dataTableId, claim }, slow);
    },
    query: async (dataTableId, { filter, ...query }) => {
      const { rows, nextCursor } = await calls.queryRows(
        { dataTableId, ...query, filter: filterOf(filter), claim },
        slow,
      );
      return { rows: rows.map(rowOf), nextCursor };
    },
    insert: async (dataTableId, rows, operationId) =>
      (
        await calls.insertRows(
          { dataTableId, valuesJson: rows.map((row) => JSON.stringify(row)), operationId, claim },
          slow,
        )
      ).rows.map(rowOf),
    update: async (dataTableId, filter, values, operationId) =>
      (
        await calls.updateRows(
          { dataTableId, filter: filterOf(filter), valuesJson: JSON.stringify(values), operationId, claim },
          slow,
        )
      ).rows.map(rowOf),
    upsert: async (dataTableId, filter, values, operationId) =>
      (
        await calls.upsertRow(
          { dataTableId, filter: filterOf(filter), valuesJson: JSON.stringify(values), operationId, claim },
          slow,
        )
      ).rows.map(rowOf),
    removeRows: async (dataTableId, filter, operationId) =>
      (await calls.deleteRows({ dataTableId, filter: filterOf(filter), operationId, claim }, slow)).rows.map(rowOf),
  };
};

/** Client of data tables over gRPC. Writes may be repeated, since each has an operation id. */
export const createDataTablesClient = (target: string, sign: TokenSigner): DataTablesClient => {
  const retried = [
    'listDataTables',
    'getDataTable',
    'queryRows',
    'insertRows',
    'updateRows',
    'upsertRow',
    'deleteRows',
  ];
  const { calls, close } = createCaller(DataTableServiceService, {
    service: 'workflows',
    target,
    sign,
    retried,
    background: true,
  });
  return { close, of: (claim) => tablesOf(calls, claim) };
};
