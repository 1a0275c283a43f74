import type { FindActor } from '../domain/data-tables/actor';
import type { ManageTables } from '../domain/data-tables/manage-tables';
import { actorOf, tableMessage, type DataTableMethods } from './data-table-methods';

/** ListDataTables over gRPC. */
export const handleListDataTables =
  (find: FindActor, { list }: ManageTables): DataTableMethods['listDataTables'] =>
  async ({ limit, cursor, claim }, context) => {
    await actorOf(find, context, claim);
    const { tables, nextCursor } = await list(limit, cursor);
    return { dataTables: tables.map(tableMessage), nextCursor };
  };
