import type { FindActor } from '../domain/data-tables/actor';
import type { ChangeRows } from '../domain/data-tables/change-rows';
import { actorOf, filterInput, rowMessages, type DataTableMethods } from './data-table-methods';

/** DeleteRows over gRPC. */
export const handleDeleteRows =
  (find: FindActor, { remove }: ChangeRows): DataTableMethods['deleteRows'] =>
  async ({ dataTableId, filter, operationId, claim }, context) => ({
    rows: rowMessages(
      await remove(await actorOf(find, context, claim), dataTableId, { operationId, filter: filterInput(filter) }),
    ),
  });
