import type { FindActor } from '../domain/data-tables/actor';
import type { ManageTables } from '../domain/data-tables/manage-tables';
import { actorOf, tableMessage, type DataTableMethods } from './data-table-methods';

/** CreateDataTable over gRPC. */
export const handleCreateDataTable =
  (find: FindActor, { create }: ManageTables): DataTableMethods['createDataTable'] =>
  async ({ name, columns, claim }, context) => ({
    dataTable: tableMessage(await create(await actorOf(find, context, claim), name, columns)),
  });
