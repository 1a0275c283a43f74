import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Chooses the id of a request, the caller's own if it is a plain word, and tells it in the answer. */
export const assignRequestId = (request: IncomingMessage, response: ServerResponse): string => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
};
