import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readDataTableName } from './data-table-body';
import { dataTableText } from './data-table-json';

/** PUT /data-tables/:id: gives a table another name; nodes that know it by its id still find it. */
export const renameDataTable: ApiHandler = async ({ id, body, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.renameDataTable(
    { dataTableId: id, name: readDataTableName(body), claim: undefined },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable));
};
