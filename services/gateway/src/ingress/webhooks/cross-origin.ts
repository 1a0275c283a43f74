import type { IncomingMessage, ServerResponse } from 'node:http';
import { EXECUTION_HEADER } from '../../http/execution-header';

const PREFLIGHT_SECONDS = 300;
const REQUESTED_HEADERS = /^[\w!#$%&'*+.^`|~, -]{1,1000}$/;

/** Lets the pages of the allowed origins read the response and the id of its execution. */
export const allowOrigin = (
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
): void => {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('access-control-expose-headers', EXECUTION_HEADER);
  if (allowedOrigins.includes('*')) {
    response.setHeader('access-control-allow-origin', '*');
    return;
  }
  response.setHeader('vary', 'Origin');
  if (allowedOrigins.includes(origin)) response.setHeader('access-control-allow-origin', origin);
};

/** Answers the preflight request of a browser. */
export const answerPreflight = (
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
  methods: readonly string[],
): void => {
  allowOrigin(request, response, allowedOrigins);
  const wanted = request.headers['access-control-request-headers'];
  response.setHeader('access-control-allow-methods', methods.join(', '));
  response.setHeader('access-control-max-age', PREFLIGHT_SECONDS);
  if (typeof wanted === 'string' && REQUESTED_HEADERS.test(wanted))
    response.setHeader('access-control-allow-headers', wanted);
  response.setHeader('allow', methods.join(', '));
  response.writeHead(204).end();
};
