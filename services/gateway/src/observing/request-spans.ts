import type { IncomingMessage, ServerResponse } from 'node:http';
import { beginSpan, type ActiveSpan } from '@weft/service-kit/tracing';
import { routeOf } from './route-names';

/** Begins the span of a request, within its sender's trace, and ends it with the response. */
export const traceRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): ActiveSpan | undefined => {
  const { method = 'GET', headers } = request;
  // A router changes the address while it looks for the route.
  const [path = '/'] = (request.url ?? '/').split('?');
  const { traceparent } = headers;
  const span = beginSpan({
    name: method,
    kind: 'server',
    attributes: { 'http.request.method': method, 'weft.request.id': requestId },
    parent: typeof traceparent === 'string' ? traceparent : undefined,
  });
  if (span?.isRecorded !== true) return span;
  response.once('close', () => {
    const route = routeOf(request, path);
    const { statusCode, headersSent } = response;
    span.rename(`${method} ${route}`);
    span.note({ 'http.route': route, ...(headersSent ? { 'http.response.status_code': statusCode } : {}) });
    if (!headersSent) span.end('closed_by_client');
    else span.end(statusCode >= 500 ? String(statusCode) : undefined);
  });
  return span;
};
