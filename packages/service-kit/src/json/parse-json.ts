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

const refuseProtoKey = (key: string, value: Json): Json => {
  if (key === '__proto__')
    throw new InvalidRequest('A key is not allowed.', [{ field: '__proto__', message: 'is not allowed as a key.' }]);
  return value;
};

/**
 * Parses JSON from outside within bounds.
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
  const text = bytes.toString('utf8');
  const hasProto =
    limits.refuseProto && (text.includes('__proto__') || text.includes('\\u005f') || text.includes('\\u005F'));
  try {
    const value: Json = hasProto ? JSON.parse(text, refuseProtoKey) : JSON.parse(text);
    return value;
  } catch (error) {
    if (error instanceof InvalidRequest) throw error;
    throw new InvalidRequest('The body is not valid JSON.', [
      { field: '', message: error instanceof Error ? error.message : 'cannot be parsed.' },
    ]);
  }
};
