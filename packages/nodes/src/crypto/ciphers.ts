import {
  constants,
  createCipheriv,
  createDecipheriv,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  scrypt,
} from 'node:crypto';
import { NodeFailure } from '@weft/engine';

/** Authenticated ciphers, with the bytes of their keys. */
const KEY_BYTES = { 'aes-256-gcm': 32, 'aes-192-gcm': 24, 'aes-128-gcm': 16, 'chacha20-poly1305': 32 } as const;

/** An authenticated cipher. */
export type Cipher = keyof typeof KEY_BYTES;

/** The ciphers that nodes may select. */
export const CIPHERS: readonly Cipher[] = ['aes-256-gcm', 'aes-192-gcm', 'aes-128-gcm', 'chacha20-poly1305'];

// A ciphertext is a version byte, salt, nonce, tag and the encrypted bytes, in Base64: n8n's format.
const VERSION = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + SALT_BYTES + NONCE_BYTES + TAG_BYTES;
/** As in n8n; deriving a key takes 64 MiB. */
const SCRYPT = { N: 65_536, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

let making: Promise<unknown> = Promise.resolve();

/** Derives a key from a passphrase, one at a time per process because this memory is not charged to any owner. */
const keyOf = (passphrase: string, salt: Uint8Array, cipher: Cipher): Promise<Buffer> => {
  const make = (): Promise<Buffer> =>
    new Promise((resolve, reject) =>
      scrypt(passphrase, salt, KEY_BYTES[cipher], SCRYPT, (error, key) =>
        error === null ? resolve(key) : reject(error),
      ),
    );
  const made = making.then(make);
  making = made.catch(() => undefined);
  return made;
};

/** Encrypts a string with a passphrase, each time differently. */
export const encryptText = async (text: string, passphrase: string, cipher: Cipher): Promise<string> => {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const key = await keyOf(passphrase, salt, cipher);
  const options = { authTagLength: TAG_BYTES };
  const engine =
    cipher === 'chacha20-poly1305'
      ? createCipheriv(cipher, key, nonce, options)
      : createCipheriv(cipher, key, nonce, options);
  const bytes = Buffer.concat([engine.update(text, 'utf8'), engine.final()]);
  return Buffer.concat([Buffer.from([VERSION]), salt, nonce, engine.getAuthTag(), bytes]).toString('base64');
};

/** Decrypts the result of `encryptText`. @throws NodeFailure for another passphrase or cipher, or a changed text */
export const decryptText = async (
  encrypted: string,
  passphrase: string,
  cipher: Cipher,
  itemIndex: number,
): Promise<string> => {
  const bytes = Buffer.from(encrypted, 'base64');
  if (bytes.length < HEAD_BYTES) throw new NodeFailure('The encrypted text is incomplete', { itemIndex });
  if (bytes[0] !== VERSION)
    throw new NodeFailure('The encrypted text has an unknown format: it was not created by this node', { itemIndex });
  const salt = bytes.subarray(1, 1 + SALT_BYTES);
  const nonce = bytes.subarray(1 + SALT_BYTES, 1 + SALT_BYTES + NONCE_BYTES);
  const tag = bytes.subarray(1 + SALT_BYTES + NONCE_BYTES, HEAD_BYTES);
  const key = await keyOf(passphrase, salt, cipher);
  try {
    const options = { authTagLength: TAG_BYTES };
    const engine =
      cipher === 'chacha20-poly1305'
        ? createDecipheriv(cipher, key, nonce, options)
        : createDecipheriv(cipher, key, nonce, options);
    engine.setAuthTag(tag);
    return Buffer.concat([engine.update(bytes.subarray(HEAD_BYTES)), engine.final()]).toString('utf8');
  } catch (cause) {
    throw notDecrypted(itemIndex, cause);
  }
};

const rsa = (key: string) => ({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' });

/** Encrypts a short string with an RSA key. @throws NodeFailure if it is too long for the key, or the key is invalid */
export const encryptForKey = (text: string, publicKey: string, itemIndex: number): string => {
  try {
    return publicEncrypt(rsa(publicKey), Buffer.from(text)).toString('base64');
  } catch (cause) {
    const isLong = /too large/i.test(String(cause));
    throw new NodeFailure(
      isLong ? 'The text is too long for the RSA key: use the symmetric mode' : 'The public key cannot be used',
      { itemIndex, cause },
    );
  }
};

/** Decrypts the result of `encryptForKey`. @throws NodeFailure */
export const decryptWithKey = (encrypted: string, privateKey: string, itemIndex: number): string => {
  try {
    return privateDecrypt(rsa(privateKey), Buffer.from(encrypted, 'base64')).toString('utf8');
  } catch (cause) {
    throw notDecrypted(itemIndex, cause);
  }
};

/** Does not reveal which of them is wrong, since that would help an attacker. */
const notDecrypted = (itemIndex: number, cause: unknown): NodeFailure =>
  new NodeFailure('Decryption failed: wrong passphrase, key or cipher, or the text was changed', { itemIndex, cause });
