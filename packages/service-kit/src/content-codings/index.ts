import { pipeline, Readable, type Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** Chunks of a body. Each is used before the next one is made. */
export type Chunks = AsyncIterable<Buffer>;

/** Maximum codings of one body. */
export const MAX_CODINGS = 2;

/** Base-2 logarithm of the memory that a Zstandard body may require, as recommended by RFC 8878: 8 MB. */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/** What to do with a compressed stream whose end is missing: `refuse` it, or `use` what arrived. */
export type CutStreams = 'refuse' | 'use';

const OPTIONS = {
  refuse: { zlib: {}, brotli: {}, zstd: ZSTD },
  use: {
    zlib: { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH },
    brotli: { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH },
    zstd: { ...ZSTD, flush: constants.ZSTD_e_flush, finishFlush: constants.ZSTD_e_flush },
  },
} as const;

const through = (source: Chunks, decoder: Transform): Chunks =>
  // The consumer gets the error of either stream; nothing else handles it.
  pipeline(Readable.from(source), decoder, () => undefined);

async function* prepend(first: Buffer, rest: AsyncIterator<Buffer>): Chunks {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** "deflate" is the zlib format by the standard, and raw deflate with some senders; the first byte shows which. */
async function* inflateEither(source: Chunks, options: object): Chunks {
  const rest = source[Symbol.asyncIterator]();
  const first = await rest.next();
  if (first.done === true) return;
  const isZlib = ((first.value[0] ?? 0) & 0x0f) === 8;
  yield* through(prepend(first.value, rest), isZlib ? createInflate(options) : createInflateRaw(options));
}

type Decode = (source: Chunks, cut: CutStreams) => Chunks;

const gunzip: Decode = (source, cut) => through(source, createGunzip(OPTIONS[cut].zlib));

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', (source, cut) => inflateEither(source, OPTIONS[cut].zlib)],
  ['br', (source, cut) => through(source, createBrotliDecompress(OPTIONS[cut].brotli))],
  ['zstd', (source, cut) => through(source, createZstdDecompress(OPTIONS[cut].zstd))],
]);

/** Codings of a Content-Encoding header in the order in which they were applied, without `identity`. */
export const codingsOf = (contentEncoding: string): readonly string[] =>
  contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');

/** True if `decode` can undo these codings: it knows each, and they are at most `MAX_CODINGS`. */
export const areKnown = (codings: readonly string[]): boolean =>
  codings.length <= MAX_CODINGS && codings.every((coding) => DECODERS.has(coding));

/**
 * Undoes known codings, the last one first, chunk by chunk as the consumer asks for them. Unknown ones are skipped.
 * Iteration throws the error of node:zlib if the chunks are not valid.
 */
export const decode = (source: Chunks, codings: readonly string[], cut: CutStreams): Chunks =>
  codings.reduceRight((chunks, coding) => DECODERS.get(coding)?.(chunks, cut) ?? chunks, source);
