import { isUtf8 } from 'node:buffer';
import { InvalidRequest, ServiceError } from '../errors';
import type { Json } from './json';

/** Bounds on JSON from outside. */
export interface JsonLimits {
  readonly maxBytes: number;
  /** Levels of nesting; JSON.stringify and stores overflow long before JSON.parse does. */
  readonly maxDepth: number;
  /** Total of values and keys. */
  readonly maxValues: number;
  /** Refuse the key `__proto__`, which becomes a prototype when objects are merged. */
  readonly refuseProto: boolean;
}

/** The bounds of the service: 10 MB, 100 levels, a million values. */
export const JSON_LIMITS: JsonLimits = { maxBytes: 10_000_000, maxDepth: 100, maxValues: 1_000_000, refuseProto: true };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const tooComplex = (message: string): InvalidRequest =>
  new InvalidRequest('The JSON is too complex.', [{ field: '', message }]);

/** Counts levels and values on the raw bytes, before anything is built from them. */
const checkBounds = (bytes: Buffer, limits: JsonLimits): void => {
  let depth = 0;
  let values = 1;
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inString = false;
      continue;
    }
    if (byte === QUOTE) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > limits.maxDepth) throw tooComplex(`must be nested at most ${limits.maxDepth} levels.`);
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === 0x2c || byte === 0x3a) values += 1;
  }
  if (values > limits.maxValues) throw tooComplex(`must have at most ${limits.maxValues} values.`);
};

/** Text in which a key may be `__proto__`: written out, or with one of its letters as an escape. */
const MAY_HAVE_PROTO = /__proto__|\\u00(?:5f|6f|70|72|74)/i;

/** Text in which a number may be too large for a double: three digits in its exponent, or very many before it. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3}|\d{200}/;

const refuseProtoKey = (key: string): void => {
  if (key === '__proto__')
    throw new InvalidRequest('A key is not allowed.', [{ field: '__proto__', message: 'is not allowed as a key.' }]);
};

const refuseInfinity = (key: string, value: Json): void => {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new InvalidRequest('A number is too large.', [
      { field: key, message: 'is a number beyond 1.8e308, which would become null: send it as a string.' },
    ]);
};

/** What has to look at every value; undefined if nothing in the text calls for it. */
const reviverFor = (text: string, limits: JsonLimits): ((key: string, value: Json) => Json) | undefined => {
  const mayHaveProto = limits.refuseProto && MAY_HAVE_PROTO.test(text);
  if (!mayHaveProto && !MAY_OVERFLOW.test(text)) return undefined;
  return (key, value) => {
    if (mayHaveProto) refuseProtoKey(key);
    refuseInfinity(key, value);
    return value;
  };
};

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const REPLACEMENT = Buffer.from('\ufffd');

/** The bytes of a text without the byte order mark that some editors put before it. */
export const withoutBom = (bytes: Buffer): Buffer =>
  bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;

/** Index of the first byte that is not UTF-8: where the decoder puts a replacement that the bytes do not hold. */
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

/**
 * Parses JSON from outside within bounds. Text that cannot be kept as it was sent is refused: bytes that are not UTF-8,
 * and numbers that are infinite for a double. A byte order mark is skipped.
 * @throws ServiceError PAYLOAD_TOO_LARGE; InvalidRequest for broken or too complex JSON.
 */
export const parseJson = (bytes: Buffer, limits: JsonLimits = JSON_LIMITS): Json => {
  if (bytes.length > limits.maxBytes) {
    throw new ServiceError({
      reason: 'PAYLOAD_TOO_LARGE',
      kind: 'too-large',
      message: `The body has more than ${limits.maxBytes} bytes.`,
    });
  }
  checkBounds(bytes, limits);
  const text = decode(withoutBom(bytes));
  try {
    const value: Json = JSON.parse(text, reviverFor(text, limits));
    return value;
  } catch (error) {
    if (error instanceof InvalidRequest) throw error;
    throw new InvalidRequest('The body is not valid JSON.', [
      { field: '', message: error instanceof Error ? error.message : 'cannot be parsed.' },
    ]);
  }
};
