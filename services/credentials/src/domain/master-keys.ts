import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** A master key. The bytes stay inside the KeyObject, which no logger and no JSON shows. */
export interface MasterKey {
  /** Name of the key, stored beside everything made with it. */
  readonly kid: string;
  readonly key: KeyObject;
}

/**
 * The keys of this process: new secrets are made with `current`; `previous` still opens old ones while keys are
 * rotated.
 */
export interface MasterKeys {
  readonly current: MasterKey;
  readonly previous: MasterKey | undefined;
}

const KEY_BYTES = 32;

/** A random key has about 30 different bytes among 32; so few as this are a made-up one. */
const LEAST_DIFFERENT_BYTES = 16;

/**
 * Reads `<kid>:<32 bytes in base64>`.
 * @throws Error that says what is wrong without showing any of the text.
 */
export const readMasterKey = (text: string): MasterKey => {
  const [, kid, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  if (kid === undefined || encoded === undefined) throw new Error('is not "<key id>:<32 random bytes in base64>"');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`holds ${bytes.length} bytes instead of ${KEY_BYTES}`);
  if (new Set(bytes).size < LEAST_DIFFERENT_BYTES)
    throw new Error('is not random; make one with: openssl rand -base64 32');
  return { kid, key: createSecretKey(bytes) };
};

/** What keeps the two keys from being used together, one sentence for each fault. */
export const masterKeyErrors = ({ current, previous }: MasterKeys): readonly string[] =>
  previous?.kid === current.kid
    ? ['MASTER_KEY and MASTER_KEY_PREVIOUS have the same key id. Give the new key a new id.']
    : [];

/** Both keys, the current one first. */
export const allKeys = ({ current, previous }: MasterKeys): readonly MasterKey[] =>
  previous === undefined ? [current] : [current, previous];

/** A key for one purpose alone, derived by HKDF-SHA-256: what one purpose reveals helps against no other. */
export const deriveKey = (master: MasterKey, purpose: 'wrap' | 'api-key' | 'sign-in-name' | 'set-up-code'): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync('sha256', master.key, '', `weft ${purpose} v1`, KEY_BYTES)));
