import { InvalidRequest } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderParameter } from '../openapi/route-doc';

/** The header that makes a start repeatable. */
export const IDEMPOTENCY_KEY: HeaderParameter = {
  name: 'Idempotency-Key',
  description: 'A repeated request with the same key starts nothing and gets the same response.',
  pattern: String.raw`^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$`,
};

/**
 * The Idempotency-Key of a start; empty if there is none.
 * @throws InvalidRequest unless it is 1 to 255 printable ASCII characters.
 */
export const readIdempotencyKey = (headers: IncomingHttpHeaders): string => {
  const key = headers['idempotency-key'];
  if (key === undefined) return '';
  if (typeof key !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    throw new InvalidRequest('The Idempotency-Key header is invalid.', [
      { field: 'Idempotency-Key', message: 'must be 1 to 255 printable ASCII characters' },
    ]);
  }
  return key;
};

/** The caller's key, or a generated one, so that the call can be repeated. @throws InvalidRequest */
export const readOrMakeKey = (headers: IncomingHttpHeaders): string => {
  const key = readIdempotencyKey(headers);
  return key === '' ? `gateway-${uuidv7()}` : key;
};
