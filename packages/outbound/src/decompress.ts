import { Readable, type Transform, pipeline } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** Chunks of a body. */
export type Chunks = AsyncIterable<Uint8Array>;

/** More codings than this on one response are not undone. */
const MAX_CODINGS = 2;

/** Servers that cut the end of a compressed stream are common; what arrived is used. */
const LENIENT = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const LENIENT_BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };
/** The window of a frame is memory; RFC 8878 recommends supporting up to 8 MB. */
const LENIENT_ZSTD = {
  flush: constants.ZSTD_e_flush,
  finishFlush: constants.ZSTD_e_flush,
  params: { [constants.ZSTD_d_windowLogMax]: 23 },
};

const DECODERS: ReadonlyMap<string, (source: Chunks) => Chunks> = new Map([
  ['gzip', (source: Chunks): Chunks => through(source, createGunzip(LENIENT))],
  ['x-gzip', (source: Chunks): Chunks => through(source, createGunzip(LENIENT))],
  ['deflate', inflateEither],
  ['br', (source: Chunks): Chunks => through(source, createBrotliDecompress(LENIENT_BROTLI))],
  ['zstd', (source: Chunks): Chunks => through(source, createZstdDecompress(LENIENT_ZSTD))],
]);

/**
 * Undoes the codings of a Content-Encoding header, last one first, chunk by chunk as the reader asks for them. If one
 * of them is not known, or there are more than two, nothing is undone: the reader sees what was sent.
 */
export function decompress(source: Chunks, contentEncoding: string): Chunks {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const decoders = codings.flatMap((coding) => DECODERS.get(coding) ?? []);
  if (decoders.length !== codings.length || codings.length > MAX_CODINGS) return source;
  return decoders.reduceRight((chunks, decode) => decode(chunks), source);
}

function through(source: Chunks, decoder: Transform): Chunks {
  // The reader of the decoder gets the error of either stream; there is no other receiver.
  return pipeline(Readable.from(source), decoder, () => undefined);
}

/** "deflate" is zlib format by the standard and raw deflate with some servers: the first byte says which. */
async function* inflateEither(source: Chunks): Chunks {
  const rest = source[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) return;
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 8;
  yield* through(prepend(first.value, rest), isZlib ? createInflate(LENIENT) : createInflateRaw(LENIENT));
}

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Chunks {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}
