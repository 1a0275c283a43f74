import type { IncomingMessage, ServerResponse } from 'node:http';

/** Maximum bytes of a refused body that are still received, so that its sender can read the response. */
const MAX_DRAINED_BYTES = 64_000_000;

/** Maximum milliseconds for which the end of a response waits for the rest of a refused body. */
const LINGER_MS = 5_000;

/** Receives the rest of a refused request, within a bound, so that its sender can read the response. */
export const drain = (request: IncomingMessage): void => {
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) request.destroy();
  });
};

/** True if the sender has left before its body was read completely. */
export const isAborted = ({ destroyed, readableEnded }: IncomingMessage): boolean => destroyed && !readableEnded;

/** True if the request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Ends a response with a body. If the request is still arriving on a connection that will be closed, the response is
 * sent at once and the connection closed after the request: closing it earlier resets it, and clients that send their
 * whole body first, such as Python's urllib, never see the response. A client that waits for 100 Continue sends nothing
 * more.
 */
export const endAfterRequest = (response: ServerResponse, body: Buffer): void => {
  const { req: request } = response;
  const isArriving = !request.complete && !request.destroyed && hasBody(request);
  if (response.shouldKeepAlive || !isArriving || request.headers.expect !== undefined) {
    response.end(body);
    return;
  }
  const end = (): void => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).once('error', end);
  response.write(body);
  drain(request);
};
