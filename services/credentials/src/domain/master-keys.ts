import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** A master key. Its bytes are inside the KeyObject, which neither loggers nor JSON reveal. */
export interface MasterKey {
  /** Id of the key, stored with everything sealed or hashed under it. */
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * The keys of this process: `current` seals and hashes; `previous` opens data sealed before, while keys are
 * rotated.
 */
export interface MasterKeys {
  readonly current: MasterKey;
  readonly previous: MasterKey | undefined;
}

const KEY_BYTES = 32;

/** A random key has about 30 distinct bytes of 32; one with far fewer was made up. */
const MIN_DISTINCT_BYTES = 16;

/**
 * Reads `<kid>:<32 bytes in base64>`.
 * @throws Error that describes the problem without showing any of the text.
 */
export const readMasterKey = (text: string): MasterKey => {
  const [, kid, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  if (kid === undefined || encoded === undefined) throw new Error('is not "<key id>:<32 random bytes in base64>"');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`holds ${bytes.length} bytes instead of ${KEY_BYTES}`);
  if (new Set(bytes).size < MIN_DISTINCT_BYTES)
    throw new Error('is not random; generate one with: openssl rand -base64 32');
  return { kid, key: createSecretKey(bytes) };
};

/** Checks that the two keys can be used together. @returns one sentence per error. */
export const masterKeyErrors = ({ current, previous }: MasterKeys): readonly string[] =>
  previous?.kid === current.kid
    ? ['MASTER_KEY and MASTER_KEY_PREVIOUS have the same key id. Give the new key a new id.']
    : [];

/** Both keys, the current one first. */
export const allKeys = ({ current, previous }: MasterKeys): readonly MasterKey[] =>
  previous === undefined ? [current] : [current, previous];

/** Derives a key for one purpose by HKDF-SHA-256, so that a leaked one does not affect the others. */
export const deriveKey = (master: MasterKey, purpose: 'wrap' | 'api-key' | 'sign-in-name' | 'set-up-code'): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master.key, '', `weft ${purpose} v1`, KEY_BYTES)));
