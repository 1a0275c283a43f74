import { isUtf8 } from 'node:buffer';
import { InvalidRequest, ServiceError } from '../errors';
import type { Json } from './json';
import { scanJson, type ScanLimits } from './scan-json';

/** Bounds on JSON from outside. */
export interface JsonLimits extends ScanLimits {
  readonly maxBytes: number;
}

/** The bounds of the service: 10 MB, 100 levels, a million values. */
export const JSON_LIMITS: JsonLimits = { maxBytes: 10_000_000, maxDepth: 100, maxValues: 1_000_000, refuseProto: true };

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
  const own = withoutBom(bytes);
  scanJson(own, limits);
  const text = decode(own);
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    throw new InvalidRequest('The body is not valid JSON.', [
      { field: '', message: error instanceof Error ? error.message : 'cannot be parsed.' },
    ]);
  }
};
