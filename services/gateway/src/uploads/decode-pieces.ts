import { areKnown, codingsOf as codingsIn, decode, MAX_CODINGS } from '@weft/service-kit/content-codings';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { receivePieces } from './receive-pieces';

const codingsOf = (request: IncomingMessage): readonly string[] => codingsIn(request.headers['content-encoding'] ?? '');

/** True if the body of a request is compressed. */
export const isCompressed = (request: IncomingMessage): boolean => codingsOf(request).length > 0;

/** Refuses codings that are not known. @throws InvalidRequest */
export const checkCodings = (request: IncomingMessage): void => {
  if (areKnown(codingsOf(request))) return;
  throw new InvalidRequest('The body is compressed in a way that is not supported.', [
    {
      field: 'Content-Encoding',
      message: `must be gzip, deflate, br or zstd, or ${MAX_CODINGS} of them; or omit it.`,
    },
  ]);
};

async function* decoded(source: AsyncIterable<Buffer>, codings: readonly string[]): AsyncGenerator<Buffer> {
  try {
    yield* decode(source, codings, 'refuse');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new InvalidRequest(`The body cannot be decompressed: it is not valid ${codings.join(', ')}.`, [
      { field: 'Content-Encoding', message: 'must be the coding of the body.' },
    ]);
  }
}

/**
 * The decompressed body of a request as it arrives, one piece of at most 64 KiB at a time: the consumer bounds its size
 * by stopping.
 * @throws InvalidRequest if it is not valid; RequestAborted; RequestTooSlow
 */
export const decodePieces = (request: IncomingMessage, response: ServerResponse): AsyncGenerator<Buffer> => {
  const pieces = receivePieces(request, response);
  return isCompressed(request) ? decoded(pieces, codingsOf(request)) : pieces;
};
