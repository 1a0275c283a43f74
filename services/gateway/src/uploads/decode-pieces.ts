import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { receivePieces } from './receive-pieces';

/** Pieces of a body. Each is used before the next one is made. */
type Pieces = AsyncIterable<Buffer>;

/** Maximum codings of one body. */
const MAX_CODINGS = 2;

/** Base-2 logarithm of the memory that a Zstandard body may require, as recommended by RFC 8878: 8 MB. */
const ZSTD_WINDOW_LOG = 23;

const through = (source: Pieces, decoder: Transform): Pieces =>
  // The consumer gets the error of either stream; nothing else handles it.
  pipeline(Readable.from(source), decoder, () => undefined);

/** "deflate" is the zlib format by the standard, and raw deflate with some senders; the first byte shows which. */
async function* inflateEither(source: Pieces): Pieces {
  const pieces = source[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 8;
  async function* whole(): Pieces {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  yield* through(whole(), isZlib ? createInflate() : createInflateRaw());
}

const gunzip = (source: Pieces): Pieces => through(source, createGunzip());

const DECODERS: ReadonlyMap<string, (source: Pieces) => Pieces> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflateEither],
  ['br', (source: Pieces): Pieces => through(source, createBrotliDecompress())],
  [
    'zstd',
    (source: Pieces): Pieces =>
      through(source, createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } })),
  ],
]);

const codingsOf = (request: IncomingMessage): string[] =>
  (request.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

/** True if the body of a request is compressed. */
export const isCompressed = (request: IncomingMessage): boolean => codingsOf(request).length > 0;

/** Refuses codings that are not known. @throws InvalidRequest */
export const checkCodings = (request: IncomingMessage): void => {
  const codings = codingsOf(request);
  if (codings.length <= MAX_CODINGS && codings.every((coding) => DECODERS.has(coding))) return;
  throw new InvalidRequest('The body is compressed in a way that is not supported.', [
    {
      field: 'Content-Encoding',
      message: `must be gzip, deflate, br or zstd, or ${MAX_CODINGS} of them; or omit it.`,
    },
  ]);
};

async function* decoded(source: Pieces, codings: readonly string[]): AsyncGenerator<Buffer> {
  try {
    yield* codings.reduceRight((pieces, coding) => DECODERS.get(coding)?.(pieces) ?? pieces, source);
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
