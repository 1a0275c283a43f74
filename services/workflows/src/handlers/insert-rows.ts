import type { FindActor } from '../domain/data-tables/actor';
import type { ChangeRows } from '../domain/data-tables/change-rows';
import { actorOf, rowMessages, type DataTableMethods } from './data-table-methods';

/** InsertRows over gRPC. */
export const handleInsertRows =
  (find: FindActor, { insert }: ChangeRows): DataTableMethods['insertRows'] =>
  async ({ dataTableId, valuesJson, operationId, claim }, context) => ({
    rows: rowMessages(await insert(await actorOf(find, context, claim), dataTableId, valuesJson, operationId)),
  });
