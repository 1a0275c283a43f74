import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { variableText } from './variable-json';

/** GET /variables: all variables, newest first; with `limit` or `cursor` a page of them. */
export const listVariables: ApiHandler = (request, { variables }) =>
  listAnswer(request, async (page) => {
    const { variables: found, nextCursor } = await variables.calls.listVariables(page, {
      principal: request.principal,
    });
    return { entries: found.map(variableText), nextCursor };
  });
