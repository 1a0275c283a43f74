import type { FindActor } from '../domain/data-tables/actor';
import type { ManageTables } from '../domain/data-tables/manage-tables';
import { actorOf, tableMessage, type DataTableMethods } from './data-table-methods';

/** GetDataTable over gRPC. */
export const handleGetDataTable =
  (find: FindActor, { get }: ManageTables): DataTableMethods['getDataTable'] =>
  async ({ dataTableId, name, claim }, context) => {
    await actorOf(find, context, claim);
    return { dataTable: tableMessage(await get(dataTableId, name)) };
  };
