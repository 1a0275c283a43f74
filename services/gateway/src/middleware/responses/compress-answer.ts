import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { choosesCoding, type Coding } from '../../http/accept-encoding';
import type { Answer, StreamAnswer } from './write-answer';

/** Minimum bytes of a body that is compressed: smaller ones fit into a few packets as they are. */
const MIN_BYTES = 4_096;

/** Maximum number of responses that are compressed at once; further ones are sent as they are. */
const MAX_AT_ONCE = 16;

/** Responses that are being compressed. */
export interface Compression {
  underWay: number;
  readonly max: number;
}

export const createCompression = (max = MAX_AT_ONCE): Compression => ({ underWay: 0, max });

/** Compressors with bounded memory, about 300 KB each, and little CPU: level and window are below the defaults. */
const compressorOf = (coding: Coding) =>
  coding === 'gzip'
    ? createGzip({ level: 4 })
    : createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 },
      });

/** Compresses parts as fast as they are read, and occupies a slot until the last one is read. */
const compressed = async function* (
  parts: AsyncIterable<string | Uint8Array>,
  coding: Coding,
  compression: Compression,
): AsyncGenerator<Uint8Array> {
  // Counted only once it is read: a response whose client has left never is.
  compression.underWay += 1;
  const source = Readable.from(parts, { objectMode: true });
  const compressor = compressorOf(coding);
  source.once('error', (error: unknown) => compressor.destroy(error instanceof Error ? error : undefined));
  source.pipe(compressor);
  try {
    for await (const chunk of compressor) yield chunk;
  } finally {
    source.destroy();
    compressor.destroy();
    compression.underWay -= 1;
  }
};

interface Ahead {
  readonly ahead: readonly (string | Uint8Array)[];
  readonly isLong: boolean;
  /** The error with which the parts end early. */
  readonly breaksOff?: { readonly error: unknown };
}

/** The first parts, until they have enough bytes to be compressed. */
const readAhead = async (iterator: AsyncIterator<string | Uint8Array>): Promise<Ahead> => {
  const ahead: (string | Uint8Array)[] = [];
  let bytes = 0;
  try {
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      ahead.push(next.value);
      bytes += next.value.length;
      if (bytes >= MIN_BYTES) return { ahead, isLong: true };
    }
  } catch (error) {
    // As without compression: a response that has begun is cut off, so that it is not mistaken for a whole one.
    if (ahead.length === 0) throw error;
    return { ahead, isLong: false, breaksOff: { error } };
  }
  return { ahead, isLong: false };
};

const continued = async function* (
  { ahead, breaksOff }: Ahead,
  iterator: AsyncIterator<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* ahead;
    if (breaksOff !== undefined) throw breaksOff.error;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
};

const VARY = { vary: 'Accept-Encoding' };

const isJson = ({ headers = {} }: Answer): boolean =>
  String(headers['content-type'] ?? 'application/json').includes('json');

const begin = (answer: StreamAnswer, coding: Coding, compression: Compression): StreamAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'content-encoding': coding },
  parts: compressed(answer.parts, coding, compression),
});

/**
 * Compresses a JSON response that is long enough, if the client accepts it and a slot is free. Files, event streams and
 * everything else stay as they are. The ETag stays the same: it names the state of the resource, for If-Match.
 * @param response the client of which may leave before the first part arrives
 */
export const compressAnswer = async (
  request: Pick<IncomingMessage, 'headers' | 'method'>,
  response: Pick<ServerResponse, 'destroyed'>,
  answer: Answer,
  compression: Compression,
): Promise<Answer> => {
  if (answer.status === 304 || !isJson(answer)) return answer;
  const varied = { ...answer, headers: { ...VARY, ...answer.headers } };
  const coding = choosesCoding(request.headers['accept-encoding']);
  if (coding === undefined || request.method === 'HEAD') return varied;
  if ('json' in varied) {
    const { json, ...head } = varied;
    if (json.length < MIN_BYTES || compression.underWay >= compression.max) return varied;
    return begin({ ...head, parts: Readable.from([json], { objectMode: true }) }, coding, compression);
  }
  const iterator = varied.parts[Symbol.asyncIterator]();
  const ahead = await readAhead(iterator);
  const whole = { ...varied, parts: continued(ahead, iterator) };
  if (response.destroyed) await iterator.return?.();
  return ahead.isLong && compression.underWay < compression.max ? begin(whole, coding, compression) : whole;
};
