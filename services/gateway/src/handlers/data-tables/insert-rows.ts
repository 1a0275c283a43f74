import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readRowsBody } from './data-table-body';
import { rowText } from './data-table-json';

/** POST /data-tables/:id/rows: adds rows, all or none. 201 with them. */
export const insertRows: ApiHandler = async ({ id, body, principal }, { dataTables }) => {
  const { rows } = await dataTables.calls.insertRows(
    { dataTableId: id, valuesJson: readRowsBody(body), operationId: '', claim: undefined },
    { principal },
  );
  return dataAnswer(`[${rows.map(rowText).join(',')}]`, { status: 201 });
};
