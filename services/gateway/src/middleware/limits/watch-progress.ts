import type { IncomingMessage, ServerResponse } from 'node:http';
import { RequestTooSlow } from '../../errors';

/** Milliseconds between checks of a body that is being received. */
export const PROGRESS_MS = 5_000;

/** Minimum bytes between two checks: a slower sender occupies a slot or memory that others need. */
export const MIN_PROGRESS_BYTES = 5_000;

/**
 * Reports a sender that is too slow, once, and closes its connection with the response. Data waiting to be read here
 * does not count against it.
 * @returns a function that stops watching
 */
export const watchProgress = (
  request: IncomingMessage,
  response: ServerResponse,
  report: (error: RequestTooSlow) => void,
): (() => void) => {
  let before = request.socket.bytesRead;
  const look = (): void => {
    const { bytesRead } = request.socket;
    const isSlow = bytesRead - before < MIN_PROGRESS_BYTES && request.readableLength === 0 && !request.complete;
    before = bytesRead;
    if (!isSlow) return;
    end();
    // The time limit may have answered the request.
    if (response.headersSent) return;
    response.setHeader('connection', 'close');
    const rate = MIN_PROGRESS_BYTES / (PROGRESS_MS / 1_000);
    report(new RequestTooSlow(`The body arrives too slowly: send at least ${rate} bytes a second.`));
  };
  // After reading data that has arrived: after a stall, timers fire before sockets.
  const timer = setInterval(() => setImmediate(look), PROGRESS_MS);
  timer.unref();
  const end = (): void => clearInterval(timer);
  request.once('end', end);
  request.once('close', end);
  return end;
};
