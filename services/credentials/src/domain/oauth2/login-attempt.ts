import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';
import { allKeys, deriveKey, type MasterKeys } from '../master-keys';

/** A sign-in that a user has begun and that the service has not returned from yet. */
export interface LoginAttempt {
  /** Random; an attempt can be completed once. */
  readonly id: string;
  /** Sent through the service, which returns it. */
  readonly state: string;
  /** PKCE verifier. */
  readonly verifier: string;
  readonly credentialId: string;
  readonly userId: string;
  /** Hash of the token of the session that began it. */
  readonly sessionHash: string;
  readonly redirectUri: string;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Seals attempts for the cookie of the browser that began them. */
export interface AttemptSealer {
  readonly seal: (attempt: LoginAttempt) => string;
  /** Undefined for anything that this service has not sealed. */
  readonly open: (cookie: string) => LoginAttempt | undefined;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Longer values are not decrypted; an attempt has about 600 characters. */
const MAX_LENGTH = 4_000;

const TEXTS = ['id', 'state', 'verifier', 'credentialId', 'userId', 'sessionHash', 'redirectUri'] as const;

const isAttempt = (value: unknown): value is LoginAttempt =>
  typeof value === 'object' &&
  value !== null &&
  TEXTS.every((name) => typeof Reflect.get(value, name) === 'string') &&
  typeof Reflect.get(value, 'expiresAt') === 'number';

const decrypted = (key: KeyObject, bytes: Buffer): LoginAttempt | undefined => {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    }).setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
    const attempt: unknown = JSON.parse(plain.toString());
    return isAttempt(attempt) ? attempt : undefined;
  } catch {
    return undefined;
  }
};

/** Creates the sealer. It opens what either master key has sealed, since keys can be replaced during an attempt. */
export const createAttemptSealer = (keys: MasterKeys): AttemptSealer => ({
  seal: (attempt) => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, deriveKey(keys.current, 'oauth2-attempt'), iv, { authTagLength: TAG_BYTES });
    const ciphertext = Buffer.concat([cipher.update(JSON.stringify(attempt)), cipher.final()]);
    return Buffer.concat([iv, ciphertext, cipher.getAuthTag()]).toString('base64url');
  },
  open: (cookie) => {
    if (cookie.length > MAX_LENGTH) return undefined;
    const bytes = Buffer.from(cookie, 'base64url');
    if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
    for (const master of allKeys(keys)) {
      const attempt = decrypted(deriveKey(master, 'oauth2-attempt'), bytes);
      if (attempt !== undefined) return attempt;
    }
    return undefined;
  },
});
