import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readDataTableBody } from './data-table-body';
import { dataTableText } from './data-table-json';

/** POST /data-tables: makes a table without rows. 201 with it. */
export const createDataTable: ApiHandler = async ({ body, principal }, { dataTables }) => {
  const { dataTable } = await dataTables.calls.createDataTable(
    { ...readDataTableBody(body), claim: undefined },
    { principal },
  );
  return dataAnswer(dataTableText(dataTable), {
    status: 201,
    headers: { location: `/api/v1/data-tables/${dataTable?.id ?? ''}` },
  });
};
