import type { FindActor } from '../domain/data-tables/actor';
import type { QueryRows } from '../domain/data-tables/query-rows';
import { actorOf, filterInput, rowMessages, type DataTableMethods } from './data-table-methods';

/** QueryRows over gRPC. */
export const handleQueryRows =
  (find: FindActor, query: QueryRows): DataTableMethods['queryRows'] =>
  async ({ dataTableId, filter, claim, ...params }, context) => {
    await actorOf(find, context, claim);
    const page = await query(dataTableId, { ...params, filter: filterInput(filter) });
    return { rows: rowMessages(page), nextCursor: page.nextCursor };
  };
