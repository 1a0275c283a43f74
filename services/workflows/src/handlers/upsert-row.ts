import type { FindActor } from '../domain/data-tables/actor';
import type { ChangeRows } from '../domain/data-tables/change-rows';
import { actorOf, filterInput, rowMessages, type DataTableMethods } from './data-table-methods';

/** UpsertRow over gRPC. */
export const handleUpsertRow =
  (find: FindActor, { upsert }: ChangeRows): DataTableMethods['upsertRow'] =>
  async ({ dataTableId, filter, claim, ...change }, context) => ({
    rows: rowMessages(
      await upsert(await actorOf(find, context, claim), dataTableId, { ...change, filter: filterInput(filter) }),
    ),
  });
