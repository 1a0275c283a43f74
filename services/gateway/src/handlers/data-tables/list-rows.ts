import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { rowText } from './data-table-json';

/**
 * GET /data-tables/:id/rows: all rows, in the order in which they were added; with `limit` or `cursor` a page of them.
 */
export const listRows: ApiHandler = (request, { dataTables }) =>
  listAnswer(request, async (page) => {
    const params = {
      dataTableId: request.id,
      filter: undefined,
      orderBy: '',
      descending: false,
      ...page,
      claim: undefined,
    };
    const { rows, nextCursor } = await dataTables.calls.queryRows(params, { principal: request.principal });
    return { entries: rows.map(rowText), nextCursor };
  });
