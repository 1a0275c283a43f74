import { DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';

/** DELETE /data-tables/:id: a table and its rows. */
export const deleteDataTable: ApiHandler = async ({ id, principal }, { dataTables }) => {
  await dataTables.calls.deleteDataTable({ dataTableId: id, claim: undefined }, { principal });
  return DELETED;
};
