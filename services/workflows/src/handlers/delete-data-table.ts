import type { FindActor } from '../domain/data-tables/actor';
import type { ManageTables } from '../domain/data-tables/manage-tables';
import { actorOf, type DataTableMethods } from './data-table-methods';

/** DeleteDataTable over gRPC. */
export const handleDeleteDataTable =
  (find: FindActor, { remove }: ManageTables): DataTableMethods['deleteDataTable'] =>
  async ({ dataTableId, claim }, context) => {
    await remove(await actorOf(find, context, claim), dataTableId);
    return {};
  };
