import { Buffer } from 'node:buffer';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { URL } from 'node:url';

/** Limit of one call. */
export const MAX_RANDOM_BYTES = 65_536;

/** Parts of a URL that the language cannot parse. */
const URL_PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const;

/** Narrows an argument to an object. @throws TypeError */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('An object is expected');
  return Object.fromEntries(Object.entries(value));
}

/** Narrows an argument to a string. @throws TypeError */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('A string is expected');
  return value;
}

/**
 * Hashes `{ algorithm, data, encoding }` with the data as `utf8` or `base64`. Returns the digest in base64.
 * @throws Error for an unknown algorithm
 */
export function hash(argument: unknown): string {
  const { algorithm, data, encoding } = recordOf(argument);
  return createHash(textOf(algorithm)).update(bytesOf(data, encoding)).digest('base64');
}

/** Like `hash`, with `key` and `keyEncoding`. */
export function hmac(argument: unknown): string {
  const { algorithm, key, keyEncoding, data, encoding } = recordOf(argument);
  return createHmac(textOf(algorithm), bytesOf(key, keyEncoding)).update(bytesOf(data, encoding)).digest('base64');
}

function bytesOf(data: unknown, encoding: unknown): Buffer {
  return Buffer.from(textOf(data), encoding === 'base64' ? 'base64' : 'utf8');
}

/**
 * Parses `{ url, base?, set? }`, where `set` has the names and new values of parts. Returns all parts of the URL.
 * @throws TypeError `Invalid URL`
 */
export function parseUrl(argument: unknown): Record<string, string> {
  const { url, base, set } = recordOf(argument);
  const parsed = base === undefined ? new URL(textOf(url)) : new URL(textOf(url), textOf(base));
  for (const [name, value] of Object.entries(set === undefined ? {} : recordOf(set))) {
    const part = URL_PARTS.find((one) => one === name);
    if (part !== undefined && part !== 'origin') parsed[part] = textOf(value);
  }
  return Object.fromEntries(URL_PARTS.map((part) => [part, parsed[part]]));
}

/** Returns that many random bytes in base64. @throws RangeError */
export function randomNumbers(count: unknown): string {
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MAX_RANDOM_BYTES) {
    throw new RangeError(`The number of random bytes must be an integer from 0 to ${MAX_RANDOM_BYTES}`);
  }
  return randomBytes(count).toString('base64');
}
