import type { DataTable as DataTableMessage, DataTableRow, DataTableServiceService } from '@weft/proto/data-tables';
import type { CallContext, Handlers } from '@weft/service-kit/grpc';
import type { ScopedUseCases, Within } from '../compose';
import type { Claim } from '../domain/versions/claims';
import type { Actor, FindActor } from '../domain/data-tables/actor';
import type { DataTable } from '../domain/data-tables/data-table';
import { rowJson } from '../domain/data-tables/read-cells';
import { tableEtag } from '../domain/data-tables/tables';
import type { TableRows } from '../domain/data-tables/write-rows';

const toTableMessage = (table: DataTable): DataTableMessage => {
  const { columns, isShared, ...same } = table;
  return {
    ...same,
    shared: isShared,
    columns: columns.map((column) => ({ ...column })),
    etag: tableEtag(table),
  };
};

const toRowMessages = ({ table, rows }: TableRows): DataTableRow[] =>
  rows.map((row) => ({
    id: row.id,
    valuesJson: rowJson(table.columns, row),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }));

/** DataTableService over gRPC. Every method identifies its caller first, including reads. */
export const dataTableHandlers = (
  useCases: Within & { readonly findActor: FindActor },
): Handlers<typeof DataTableServiceService> => {
  /** Identifies the caller, and returns the use cases for its visibility scope. */
  const admit = async (
    { principal }: CallContext,
    claim: Claim | undefined,
  ): Promise<{ readonly actor: Actor; readonly scoped: ScopedUseCases }> => {
    const actor = await useCases.findActor(principal, claim);
    const { scopes, within } = useCases;
    const scope = await (actor.kind === 'user' ? scopes.ofUser(actor.principal) : scopes.ofRun(actor.ownerId));
    return { actor, scoped: within(scope) };
  };
  return {
    listDataTables: async ({ claim, ...page }, context) => {
      const { scoped } = await admit(context, claim);
      const { tables, nextCursor } = await scoped.listTables(page);
      return { dataTables: tables.map(toTableMessage), nextCursor };
    },
    getDataTable: async ({ dataTableId, name, claim }, context) => {
      const { scoped } = await admit(context, claim);
      return { dataTable: toTableMessage(await scoped.getTable(dataTableId, name)) };
    },
    createDataTable: async ({ name, columns, shared: isShared = false, claim, projectId }, context) => {
      const { actor, scoped } = await admit(context, claim);
      const created = { name, columns, isShared, projectId, id: context.createdId };
      return { dataTable: toTableMessage(await scoped.createTable(actor, created)) };
    },
    renameDataTable: async ({ dataTableId, name, shared, claim, condition }, context) => {
      const { actor, scoped } = await admit(context, claim);
      return {
        dataTable: toTableMessage(await scoped.renameTable(actor, dataTableId, { name, isShared: shared }, condition)),
      };
    },
    deleteDataTable: async ({ dataTableId, claim, condition }, context) => {
      const { actor, scoped } = await admit(context, claim);
      await scoped.deleteTable(actor, dataTableId, condition);
      return {};
    },
    queryRows: async ({ dataTableId, filter, claim, ...params }, context) => {
      const { scoped } = await admit(context, claim);
      const page = await scoped.queryRows(dataTableId, { ...params, filter });
      return { rows: toRowMessages(page), nextCursor: page.nextCursor };
    },
    insertRows: async ({ dataTableId, valuesJson, operationId, claim }, context) => {
      const { actor, scoped } = await admit(context, claim);
      return { rows: toRowMessages(await scoped.insertRows(actor, dataTableId, valuesJson, operationId)) };
    },
    updateRows: async ({ dataTableId, filter, claim, ...change }, context) => {
      const { actor, scoped } = await admit(context, claim);
      return { rows: toRowMessages(await scoped.updateRows(actor, dataTableId, { ...change, filter })) };
    },
    upsertRow: async ({ dataTableId, filter, claim, ...change }, context) => {
      const { actor, scoped } = await admit(context, claim);
      return { rows: toRowMessages(await scoped.upsertRow(actor, dataTableId, { ...change, filter })) };
    },
    deleteRows: async ({ dataTableId, filter, operationId, claim }, context) => {
      const { actor, scoped } = await admit(context, claim);
      return { rows: toRowMessages(await scoped.deleteRows(actor, dataTableId, { operationId, filter })) };
    },
  };
};
