import type { FindActor } from '../domain/data-tables/actor';
import type { ManageTables } from '../domain/data-tables/manage-tables';
import { actorOf, tableMessage, type DataTableMethods } from './data-table-methods';

/** RenameDataTable over gRPC. */
export const handleRenameDataTable =
  (find: FindActor, { rename }: ManageTables): DataTableMethods['renameDataTable'] =>
  async ({ dataTableId, name, claim }, context) => ({
    dataTable: tableMessage(await rename(await actorOf(find, context, claim), dataTableId, name)),
  });
