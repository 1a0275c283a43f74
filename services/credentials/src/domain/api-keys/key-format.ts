import { createHash, createHmac, randomBytes } from 'node:crypto';
import { allKeys, deriveKey, type MasterKeys } from '../master-keys';
import type { KeyHash } from './api-key';

const SHAPE = /^weft_([A-Za-z0-9]{32,128})([0-9a-f]{4})$/;

const checksumOf = (body: string): string => createHash('sha256').update(body).digest('hex').slice(0, 4);

/** Generates a key value: `weft_`, 32 random bytes in hexadecimal, and a checksum of 4 hexadecimal digits. */
export const makeKeyValue = (): string => {
  const body = randomBytes(32).toString('hex');
  return `weft_${body}${checksumOf(body)}`;
};

/** True if a string has the format of a key and its checksum matches, so that a typing error costs no query. */
export const isKeyValue = (text: string): boolean => {
  const [, body, checksum] = SHAPE.exec(text) ?? [];
  return body !== undefined && checksumOf(body) === checksum;
};

/** Hashes a key value: under the current master key first, then under the previous one during a rotation. */
export type HashKey = (value: string) => readonly [KeyHash, ...KeyHash[]];

/**
 * HMAC-SHA-256 under a pepper derived from each master key. A fast hash suffices: the value has 256 random bits, and
 * without the master key a stolen database does not even allow testing a guess.
 */
export const createHashKey = (keys: MasterKeys): HashKey => {
  return function hashKey(value) {
    const [first, ...others] = allKeys(keys).map((master) => ({
      kid: master.kid,
      hash: createHmac('sha256', deriveKey(master, 'api-key')).update(value).digest('base64url'),
    }));
    if (first === undefined) throw new Error('There is no master key.');
    return [first, ...others];
  };
};
