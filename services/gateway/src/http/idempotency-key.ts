import { InvalidRequest } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { IncomingHttpHeaders } from 'node:http';
import type { Reason } from '../openapi/reasons';
import type { HeaderParameter } from '../openapi/route-doc';

/** The header that makes a start repeatable. */
export const IDEMPOTENCY_KEY: HeaderParameter = {
  name: 'Idempotency-Key',
  description: 'A repeated request with the same key starts nothing and gets the same response.',
  pattern: String.raw`^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$`,
};

/** The header that makes a creation repeatable. */
export const CREATION_KEY: HeaderParameter = {
  ...IDEMPOTENCY_KEY,
  description:
    'A request that is repeated within 24 hours, with the same key and the same body, creates nothing and gets the ' +
    'same response.',
};

/** The header where the response of a creation has a secret. */
export const SECRET_KEY: HeaderParameter = {
  ...IDEMPOTENCY_KEY,
  description:
    'A request that is repeated within 24 hours, with the same key and the same body, creates nothing. Only the ' +
    'first response contains the secret: a repeated request gets 409 `RESPONSE_NOT_REPEATED`, with the id.',
};

/** Reasons of a creation that may be repeated. */
export const CREATION_KEY_REASONS: readonly Reason[] = ['IDEMPOTENCY_KEY_REUSED', 'TOO_MANY_IDEMPOTENCY_KEYS'];

/** The same where the response has a secret. */
export const SECRET_KEY_REASONS: readonly Reason[] = [...CREATION_KEY_REASONS, 'RESPONSE_NOT_REPEATED'];

/**
 * The Idempotency-Key of a request; empty if there is none.
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

/** The key of a creation for its call; absent without the header. @throws InvalidRequest */
export const creationKey = (headers: IncomingHttpHeaders): { readonly idempotencyKey?: string } => {
  const idempotencyKey = readIdempotencyKey(headers);
  return idempotencyKey === '' ? {} : { idempotencyKey };
};

/** The caller's key, or a generated one, so that the call can be repeated. @throws InvalidRequest */
export const readOrMakeKey = (headers: IncomingHttpHeaders): string => {
  const key = readIdempotencyKey(headers);
  return key === '' ? `gateway-${uuidv7()}` : key;
};
