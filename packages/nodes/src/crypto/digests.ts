import { createHash, createHmac, createSign, getHashes } from 'node:crypto';
import { messageOf, NodeFailure } from '@weft/engine';

/** Hash functions by the node's names for them. */
export const HASHES = [
  'MD5',
  'SHA1',
  'SHA224',
  'SHA256',
  'SHA384',
  'SHA512',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
] as const;

/** Name of a hash function. */
export type HashName = (typeof HASHES)[number];

/** Encodings of a result. */
export type Encoding = 'hex' | 'base64';

/** The hash of a string (as UTF-8) or bytes. */
export function digestOf(hash: HashName, data: string | Uint8Array, encoding: Encoding): string {
  return createHash(hash).update(data).digest(encoding);
}

/** The keyed hash of a string (as UTF-8) or bytes. */
export function macOf(hash: HashName, secret: string, data: string | Uint8Array, encoding: Encoding): string {
  return createHmac(hash, secret).update(data).digest(encoding);
}

/**
 * Signs a string with a private key in PEM form.
 * @throws NodeFailure for an unusable algorithm or key; the message never includes the key
 */
export function signatureOf(algorithm: string, privateKey: string, text: string, encoding: Encoding): string {
  if (!getHashes().includes(algorithm))
    throw new NodeFailure(`The algorithm "${algorithm.slice(0, 100)}" is not supported. Use one such as RSA-SHA256.`);
  try {
    return createSign(algorithm).update(text).sign(privateKey, encoding);
  } catch (cause) {
    throw new NodeFailure(`The private key cannot be used with ${algorithm}: ${messageOf(cause).slice(0, 200)}`);
  }
}
