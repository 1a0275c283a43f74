import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** A master key. Its bytes are inside the KeyObject, which neither loggers nor JSON reveal. */
export interface MasterKey {
  /** Id of the key, stored with everything sealed or hashed under it. */
  readonly kid: string;
  readonly key: KeyObject;
}

/** The keys of this process: `current` seals and hashes; `previous` opens older data during a rotation. */
export interface MasterKeys {
  readonly current: MasterKey;
  readonly previous: MasterKey | undefined;
}

const KEY_BYTES = 32;

/** A random key has about 30 distinct bytes of 32; one with far fewer was made up by hand. */
const MIN_DISTINCT_BYTES = 16;

/** Reads `<kid>:<32 bytes in base64>`. @throws Error that describes the problem without showing any of the text */
export const readMasterKey = (text: string): MasterKey => {
  const [, kid, encoded] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]+={0,2})$/.exec(text.trim()) ?? [];
  if (kid === undefined || encoded === undefined) throw new Error('is not "<key id>:<32 random bytes in base64>"');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`holds ${bytes.length} bytes instead of ${KEY_BYTES}`);
  if (new Set(bytes).size < MIN_DISTINCT_BYTES)
    throw new Error('is not random; generate one with: openssl rand -base64 32');
  return { kid, key: createSecretKey(bytes) };
};

/**
 * Checks that the two keys can be used together, and as successors of those in use before, if any.
 * @returns one sentence per error
 */
export const masterKeyErrors = (keys: MasterKeys, former?: MasterKeys): readonly string[] => {
  const { current, previous } = keys;
  if (previous?.kid === current.kid)
    return ['MASTER_KEY and MASTER_KEY_PREVIOUS have the same key id. Give the new key a new id.'];
  const known = former === undefined ? [] : allKeys(former);
  return allKeys(keys)
    .filter(({ kid, key }) => known.some((one) => one.kid === kid && !one.key.equals(key)))
    .map(({ kid }) => sameIdOtherKey(kid));
};

const sameIdOtherKey = (kid: string): string =>
  `The master key with the id ${kid} is another one than the key with which this installation has sealed. ` +
  'Restore the previous key, or give the new one another id.';

/** Both keys, the current one first. */
export const allKeys = ({ current, previous }: MasterKeys): readonly MasterKey[] =>
  previous === undefined ? [current] : [current, previous];

type Purpose = 'wrap' | 'api-key' | 'sign-in-name' | 'set-up-code' | 'fingerprint' | 'idempotency' | 'oauth2-attempt';

/** Keys derived from a master key, cached for its lifetime. */
const derived = new WeakMap<KeyObject, Map<Purpose, KeyObject>>();

/** Derives a key for one purpose with HKDF-SHA-256, so that a leaked one does not affect the others. */
export const deriveKey = ({ key }: MasterKey, purpose: Purpose): KeyObject => {
  const known = derived.get(key) ?? new Map<Purpose, KeyObject>();
  derived.set(key, known);
  const made =
    known.get(purpose) ?? createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `weft ${purpose} v1`, KEY_BYTES)));
  known.set(purpose, made);
  return made;
};

/**
 * Stores the fingerprint of a master key under its id if none is known.
 * @returns the stored fingerprint
 * @throws Unavailable
 */
export type NoteFingerprint = (kid: string, fingerprint: string) => Promise<string>;

/**
 * Compares the keys with those used under their ids before, by fingerprints that reveal nothing about the keys.
 * @throws Error with a remedy if a key is a different one
 */
export const checkFingerprints = async (keys: MasterKeys, note: NoteFingerprint): Promise<void> => {
  for (const master of allKeys(keys)) {
    const fingerprint = deriveKey(master, 'fingerprint').export().toString('base64url');
    if ((await note(master.kid, fingerprint)) !== fingerprint) throw new Error(sameIdOtherKey(master.kid));
  }
};
