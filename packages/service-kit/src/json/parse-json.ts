import { isUtf8 } from 'node:buffer';
import { InvalidRequest, ServiceError } from '../errors';
import { hasMoreValues } from './count-values';
import type { Json } from './json';
import { runToEnd, walkJson } from './walk-json';

/** Limits on untrusted JSON. */
export interface JsonLimits {
  readonly maxBytes: number;
  /** Maximum nesting depth: JSON.stringify and stores overflow long before JSON.parse does. */
  readonly maxDepth: number;
  /** Maximum total of values and keys. */
  readonly maxValues: number;
  /** Refuse the key `__proto__`, which becomes a prototype when objects are merged. */
  readonly refuseProto: boolean;
}

/** The limits of the services: 10 MB, 100 levels, a million values. */
export const JSON_LIMITS: JsonLimits = { maxBytes: 10_000_000, maxDepth: 100, maxValues: 1_000_000, refuseProto: true };

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const REPLACEMENT = Buffer.from('\ufffd');

/** The bytes without the byte order mark that some editors write. */
export const withoutBom = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

/** Index of the first byte that is not UTF-8: where the decoder inserts a replacement character that the bytes lack. */
const invalidByteAt = (bytes: Buffer, text: string): number => {
  let offset = 0;
  for (let from = 0, at = text.indexOf('\ufffd'); at !== -1; from = at + 1, at = text.indexOf('\ufffd', from)) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(offset, offset + REPLACEMENT.length).equals(REPLACEMENT)) return offset;
    offset += REPLACEMENT.length;
  }
  return offset;
};

const decode = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return text;
  throw new InvalidRequest('The body is not valid UTF-8.', [
    { field: '', message: `has a byte that is not UTF-8 at offset ${invalidByteAt(bytes, text)}: encode it as UTF-8.` },
  ]);
};

const checkSize = (bytes: Buffer, maxBytes: number): void => {
  if (bytes.length > maxBytes)
    throw new ServiceError({
      reason: 'PAYLOAD_TOO_LARGE',
      kind: 'too-large',
      message: `The body has more than ${maxBytes} bytes.`,
    });
};

const tooComplex = (message: string): InvalidRequest =>
  new InvalidRequest('The JSON is too complex.', [{ field: '', message }]);

const refuseProto = (): void => {
  throw new InvalidRequest('A key is not allowed.', [{ field: '__proto__', message: 'is not allowed as a key.' }]);
};

const refuseInfinite = (key: string): void => {
  throw new InvalidRequest('A number is too large.', [
    { field: key, message: 'is a number beyond 1.8e308, which would become null: send it as a string.' },
  ]);
};

const parseText = (text: string): Json => {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    throw new InvalidRequest('The body is not valid JSON.', [
      { field: '', message: error instanceof Error ? error.message : 'cannot be parsed.' },
    ]);
  }
};

/** `parseJson` as a generator that yields between parts, so that other work can run. */
export function* parseInParts(bytes: Buffer, limits: JsonLimits): Generator<undefined, Json> {
  const { maxBytes, maxDepth, maxValues } = limits;
  checkSize(bytes, maxBytes);
  const own = withoutBom(bytes);
  if (yield* hasMoreValues(own, maxValues)) throw tooComplex(`must have at most ${maxValues} values.`);
  yield;
  const value = parseText(decode(own));
  yield;
  yield* walkJson(value, {
    maxDepth,
    onTooDeep: () => {
      throw tooComplex(`must be nested at most ${maxDepth} levels.`);
    },
    ...(limits.refuseProto ? { onProto: refuseProto } : {}),
    onInfinite: refuseInfinite,
  });
  return value;
}

/**
 * Parses untrusted JSON within limits. Refuses text that cannot be stored as sent: bytes that are not UTF-8, and
 * numbers that overflow a double. Skips a byte order mark.
 * @throws ServiceError PAYLOAD_TOO_LARGE; InvalidRequest for broken or too complex JSON
 */
export const parseJson = (bytes: Buffer, limits: JsonLimits = JSON_LIMITS): Json =>
  runToEnd(parseInParts(bytes, limits));
