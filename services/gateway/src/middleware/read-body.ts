import { InvalidRequest, type ServiceError } from '@weft/service-kit/errors';
import { JSON_LIMITS } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyMemoryFull, PayloadTooLarge } from '../errors';
import { showBodyBytes } from '../observing/refusals';

/** Largest body of a request, in bytes. */
export const MAX_BODY_BYTES = JSON_LIMITS.maxBytes;

/** Limit of a refused body that is still received, so that its sender gets to read the answer. */
const MAX_DRAINED_BYTES = 64_000_000;

const tooLarge = (maxBytes: number): PayloadTooLarge =>
  new PayloadTooLarge(`The body exceeds the limit of ${maxBytes} bytes.`);

/**
 * Receives the rest of a refused request, within a bound, so that its sender gets to read the answer.
 */
export const drain = (request: IncomingMessage): void => {
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) request.destroy();
  });
};

/**
 * Refuses bodies that can be refused unread: those announced as larger than `maxBytes`, or compressed.
 * @throws PayloadTooLarge; InvalidRequest
 */
export const checkBodyHeaders = (request: IncomingMessage, maxBytes: number = MAX_BODY_BYTES): void => {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    drain(request);
    throw tooLarge(maxBytes);
  }
  checkBodyEncoding(request);
};

/** Refuses compressed bodies. @throws InvalidRequest */
export const checkBodyEncoding = (request: IncomingMessage): void => {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new InvalidRequest('Compressed bodies are not supported: send the body without Content-Encoding.', [
      { field: 'Content-Encoding', message: 'must be omitted' },
    ]);
  }
};

/** True if the request has a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/**
 * Reads the whole body of a request, of `maxBytes` at most (10 MB if not given). A sender that waits for 100 Continue
 * gets it now and not before.
 * @throws PayloadTooLarge; InvalidRequest if the sender ends early; Unavailable if the bodies of all requests together
 * are too much
 */
export type ReadBody = (request: IncomingMessage, response: ServerResponse, maxBytes?: number) => Promise<Buffer>;

/** Creates a reader that holds at most `maxTotalBytes` of bodies at once, over all unanswered requests. */
export const createBodyReader = (maxTotalBytes: number): ReadBody => {
  let held = 0;
  showBodyBytes(() => held);
  return function readBody(request, response, maxBytes = MAX_BODY_BYTES) {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const refuse = (error: ServiceError): void => {
        request.off('data', take);
        chunks.length = 0;
        drain(request);
        reject(error);
      };
      const take = (chunk: Buffer): void => {
        size += chunk.length;
        held += chunk.length;
        chunks.push(chunk);
        if (size > maxBytes) refuse(tooLarge(maxBytes));
        else if (held > maxTotalBytes) refuse(new BodyMemoryFull());
      };
      const breakOff = (): void => reject(new InvalidRequest('The body is incomplete.'));
      request.on('data', take);
      request.once('end', () =>
        resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
      );
      request.once('error', breakOff);
      request.once('close', breakOff);
      response.once('close', () => {
        held -= size;
      });
      if (request.headers.expect !== undefined) response.writeContinue();
    });
  };
};
