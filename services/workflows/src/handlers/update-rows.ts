import type { FindActor } from '../domain/data-tables/actor';
import type { ChangeRows } from '../domain/data-tables/change-rows';
import { actorOf, filterInput, rowMessages, type DataTableMethods } from './data-table-methods';

/** UpdateRows over gRPC. */
export const handleUpdateRows =
  (find: FindActor, { update }: ChangeRows): DataTableMethods['updateRows'] =>
  async ({ dataTableId, filter, claim, ...change }, context) => ({
    rows: rowMessages(
      await update(await actorOf(find, context, claim), dataTableId, { ...change, filter: filterInput(filter) }),
    ),
  });
