import type { ApiHandler } from '../api-handler';
import { listAnswer } from '../list-answer';
import { credentialText } from './credential-json';

/** GET /credentials: all credentials without their data, newest first; with `limit` or `cursor` a page of them. */
export const listCredentials: ApiHandler = (request, { credentials }) =>
  listAnswer(request, async (page) => {
    const { credentials: found, nextCursor } = await credentials.calls.listCredentials(page, {
      principal: request.principal,
    });
    return { entries: found.map(credentialText), nextCursor };
  });
