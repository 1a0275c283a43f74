import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { dataTableText } from './data-table-json';

/** GET /data-tables: all tables without their rows, newest first; with `limit` or `cursor` a page of them. */
export const listDataTables: ApiHandler = (request, { dataTables }) =>
  listAnswer(request, async (page) => {
    const { dataTables: found, nextCursor } = await dataTables.calls.listDataTables(
      { ...page, claim: undefined },
      { principal: request.principal },
    );
    return { entries: found.map(dataTableText), nextCursor };
  });
