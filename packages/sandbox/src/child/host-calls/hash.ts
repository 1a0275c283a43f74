import { createHash, createHmac } from 'node:crypto';
import { recordOf, textOf } from './arguments';

/**
 * `{ algorithm, data, encoding }` with the data as `utf8` or `base64`. Gives the digest in base64.
 * @throws Error for an unknown algorithm
 */
export function hash(argument: unknown): string {
  const { algorithm, data, encoding } = recordOf(argument);
  return createHash(textOf(algorithm)).update(bytesOf(data, encoding)).digest('base64');
}

/** The same with `key` and `keyEncoding`. */
export function hmac(argument: unknown): string {
  const { algorithm, key, keyEncoding, data, encoding } = recordOf(argument);
  return createHmac(textOf(algorithm), bytesOf(key, keyEncoding)).update(bytesOf(data, encoding)).digest('base64');
}

function bytesOf(data: unknown, encoding: unknown): Buffer {
  return Buffer.from(textOf(data), encoding === 'base64' ? 'base64' : 'utf8');
}
