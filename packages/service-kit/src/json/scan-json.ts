import { InvalidRequest } from '../errors';

/** Bounds that are looked at on the bytes of a JSON text. */
export interface ScanLimits {
  /** Levels of nesting; JSON.stringify and stores overflow long before JSON.parse does. */
  readonly maxDepth: number;
  /** Total of values and keys. */
  readonly maxValues: number;
  /** Refuse the key `__proto__`, which becomes a prototype when objects are merged. */
  readonly refuseProto: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;
const COLON = 0x3a;
const COMMA = 0x2c;
const EXPONENT = 0x65;
const LOWER_CASE = 0x20;

const PROTO = '__proto__';
/** Bytes of that key if each of its letters is an escape. */
const MAX_PROTO_BYTES = 6 * PROTO.length;
/** No number of so many bytes, with an exponent of so many, is too large for a double. */
const SAFE_BYTES = 200;
const SAFE_EXPONENT_BYTES = 'e99'.length;

const tooComplex = (message: string): InvalidRequest =>
  new InvalidRequest('The JSON is too complex.', [{ field: '', message }]);

const keyRefused = (): InvalidRequest =>
  new InvalidRequest('A key is not allowed.', [{ field: PROTO, message: 'is not allowed as a key.' }]);

const numberRefused = (key: string): InvalidRequest =>
  new InvalidRequest('A number is too large.', [
    { field: key, message: 'is a number beyond 1.8e308, which would become null: send it as a string.' },
  ]);

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** The text between two quotes; what is written wrongly stays as it is, and is refused by whoever parses all of it. */
const textOf = (quoted: string): string => {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
};

/**
 * Looks at the bytes of a JSON text before anything is built from them. One pass does all of it: a reviver, which is
 * called for each value, takes ten times as long as to parse them.
 * @throws InvalidRequest if it has more levels or values than it may, a key `__proto__`, or a number that is infinite
 * for a double
 */
export const scanJson = (bytes: Buffer, { maxDepth, maxValues, refuseProto }: ScanLimits): void => {
  let depth = 0;
  let values = 1;
  let inString = false;
  /** Of the last string: its first quote, and the index after its last one. */
  let stringStart = 0;
  let stringEnd = 0;
  /** Index after the last byte of structure, and of the exponent since then. */
  let start = 0;
  let exponent = -1;

  const lastString = (): string => textOf(bytes.toString('utf8', stringStart, stringEnd));
  const checkNumber = (end: number): void => {
    const token = bytes.toString('latin1', start, end);
    if (Math.abs(Number(token)) === Number.POSITIVE_INFINITY && /\d/.test(token))
      throw numberRefused(bytes[start - 1] === COLON ? lastString() : '');
  };
  const checkKey = (): void => {
    const first = bytes[stringStart + 1];
    if (first !== UNDERSCORE && first !== BACKSLASH) return;
    if (stringEnd - stringStart - 2 <= MAX_PROTO_BYTES && lastString() === PROTO) throw keyRefused();
  };
  /** A value ends, if there is one. */
  const endValue = (end: number): void => {
    if (end - start > SAFE_BYTES || (exponent >= 0 && end - exponent > SAFE_EXPONENT_BYTES)) checkNumber(end);
  };

  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) {
        inString = false;
        stringEnd = i + 1;
        start = stringEnd;
      }
    } else if (byte === QUOTE) {
      inString = true;
      stringStart = i;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw tooComplex(`must be nested at most ${maxDepth} levels.`);
      start = i + 1;
    } else if (byte === 0x7d || byte === 0x5d || byte === COMMA || byte === COLON) {
      endValue(i);
      exponent = -1;
      start = i + 1;
      if (byte === COMMA) values += 1;
      else if (byte === COLON) {
        values += 1;
        if (refuseProto) checkKey();
      } else depth -= 1;
    } else if ((byte | LOWER_CASE) === EXPONENT && isDigit(bytes[i - 1])) exponent = i;
  }
  endValue(bytes.length);
  if (values > maxValues) throw tooComplex(`must have at most ${maxValues} values.`);
};
