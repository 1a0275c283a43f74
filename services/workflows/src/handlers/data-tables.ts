import type { DataTable as DataTableMessage, DataTableRow, DataTableServiceService } from '@weft/proto/data-tables';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import type { Claim } from '../domain/claims';
import type { Actor, FindActor } from '../domain/data-tables/actor';
import type { DataTable } from '../domain/data-tables/data-table';
import { rowJson } from '../domain/data-tables/read-cells';
import type { RowUseCases } from '../domain/data-tables/rows';
import type { TableUseCases } from '../domain/data-tables/tables';
import type { TableRows } from '../domain/data-tables/write-rows';

const toTableMessage = ({ columns, isShared, ...table }: DataTable): DataTableMessage => ({
  ...table,
  shared: isShared,
  columns: columns.map((column) => ({ ...column })),
});

const toRowMessages = ({ table, rows }: TableRows): DataTableRow[] =>
  rows.map((row) => ({
    id: row.id,
    valuesJson: rowJson(table.columns, row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));

/** DataTableService over gRPC. Every method identifies its caller first, reading ones too. */
export const dataTableHandlers = (
  useCases: TableUseCases & RowUseCases & { readonly findActor: FindActor },
): Handlers<typeof DataTableServiceService> => {
  const actorOf = ({ principal }: CallContext, claim: Claim | undefined): Promise<Actor> =>
    useCases.findActor(principal, claim);
  return {
    listDataTables: async ({ claim, ...page }, context) => {
      await actorOf(context, claim);
      const { tables, nextCursor } = await useCases.listTables(page);
      return { dataTables: tables.map(toTableMessage), nextCursor };
    },
    getDataTable: async ({ dataTableId, name, claim }, context) => {
      await actorOf(context, claim);
      return { dataTable: toTableMessage(await useCases.getTable(dataTableId, name)) };
    },
    createDataTable: async ({ name, columns, shared: isShared = false, claim, projectId }, context) => ({
      dataTable: toTableMessage(
        await useCases.createTable(await actorOf(context, claim), { name, columns, isShared, projectId }),
      ),
    }),
    renameDataTable: async ({ dataTableId, name, shared, claim }, context) => ({
      dataTable: toTableMessage(await useCases.renameTable(await actorOf(context, claim), dataTableId, name, shared)),
    }),
    deleteDataTable: async ({ dataTableId, claim }, context) => {
      await useCases.deleteTable(await actorOf(context, claim), dataTableId);
      return {};
    },
    queryRows: async ({ dataTableId, filter, claim, ...params }, context) => {
      await actorOf(context, claim);
      const page = await useCases.queryRows(dataTableId, { ...params, filter });
      return { rows: toRowMessages(page), nextCursor: page.nextCursor };
    },
    insertRows: async ({ dataTableId, valuesJson, operationId, claim }, context) => ({
      rows: toRowMessages(
        await useCases.insertRows(await actorOf(context, claim), dataTableId, valuesJson, operationId),
      ),
    }),
    updateRows: async ({ dataTableId, filter, claim, ...change }, context) => ({
      rows: toRowMessages(await useCases.updateRows(await actorOf(context, claim), dataTableId, { ...change, filter })),
    }),
    upsertRow: async ({ dataTableId, filter, claim, ...change }, context) => ({
      rows: toRowMessages(await useCases.upsertRow(await actorOf(context, claim), dataTableId, { ...change, filter })),
    }),
    deleteRows: async ({ dataTableId, filter, operationId, claim }, context) => ({
      rows: toRowMessages(
        await useCases.deleteRows(await actorOf(context, claim), dataTableId, { operationId, filter }),
      ),
    }),
  };
};
