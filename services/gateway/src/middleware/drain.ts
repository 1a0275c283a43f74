import type { IncomingMessage } from 'node:http';

/** Maximum bytes of a refused body that are still received, so that its sender can read the response. */
const MAX_DRAINED_BYTES = 64_000_000;

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
