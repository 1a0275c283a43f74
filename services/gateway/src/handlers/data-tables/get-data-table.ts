import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { dataTableText } from './data-table-json';

/** GET /data-tables/:id: a table without its rows. */
export const getDataTable: ApiHandler = async ({ id, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.getDataTable(
    { dataTableId: id, name: '', claim: undefined },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable));
};
