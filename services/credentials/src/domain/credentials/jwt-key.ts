import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { JsonObject, Json } from '@weft/service-kit/json';

/** Verification by one algorithm of RFC 7518. */
interface Algorithm {
  readonly family: 'hmac' | 'rsa' | 'pss' | 'ecdsa';
  readonly hash: 'sha256' | 'sha384' | 'sha512';
  /** The only curve that the algorithm allows. */
  readonly curve?: string;
}

/** A key with the only algorithm it may be used for, whatever the token says. */
export interface JwtKey extends Algorithm {
  readonly kind: 'key';
  readonly algorithm: string;
  readonly key: KeyObject;
}

/** Error in the data of a jwtAuth credential. */
export interface JwtKeyError {
  readonly kind: 'error';
  readonly field: string;
  readonly message: string;
}

const ALGORITHMS = new Map<string, Algorithm>([
  ['HS256', { family: 'hmac', hash: 'sha256' }],
  ['HS384', { family: 'hmac', hash: 'sha384' }],
  ['HS512', { family: 'hmac', hash: 'sha512' }],
  ['RS256', { family: 'rsa', hash: 'sha256' }],
  ['RS384', { family: 'rsa', hash: 'sha384' }],
  ['RS512', { family: 'rsa', hash: 'sha512' }],
  ['PS256', { family: 'pss', hash: 'sha256' }],
  ['PS384', { family: 'pss', hash: 'sha384' }],
  ['PS512', { family: 'pss', hash: 'sha512' }],
  ['ES256', { family: 'ecdsa', hash: 'sha256', curve: 'prime256v1' }],
  ['ES384', { family: 'ecdsa', hash: 'sha384', curve: 'secp384r1' }],
  ['ES512', { family: 'ecdsa', hash: 'sha512', curve: 'secp521r1' }],
]);

/** Names of the algorithms, for shared secrets and for key pairs. */
export const JWT_ALGORITHMS: readonly string[] = [...ALGORITHMS.keys()];

const MIN_RSA_BITS = 2_048;

const isFilled = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

const invalid = (field: string, message: string): JwtKeyError => ({ kind: 'error', field, message });

const readSecret = (data: JsonObject, algorithm: string, how: Algorithm): JwtKey | JwtKeyError => {
  if (how.family !== 'hmac') return invalid('algorithm', 'must be HS256, HS384 or HS512 with the key type passphrase.');
  const { secret } = data;
  if (!isFilled(secret)) return invalid('secret', 'must be a non-empty string.');
  return { kind: 'key', algorithm, ...how, key: createSecretKey(Buffer.from(secret)) };
};

const parsePublicKey = (pem: string): KeyObject | undefined => {
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
};

const fits = (key: KeyObject, { family, curve }: Algorithm): boolean => {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {};
  if (family === 'ecdsa') return key.asymmetricKeyType === 'ec' && namedCurve === curve;
  return key.asymmetricKeyType === 'rsa' && modulusLength >= MIN_RSA_BITS;
};

const readPublicKey = (data: JsonObject, algorithm: string, how: Algorithm): JwtKey | JwtKeyError => {
  if (how.family === 'hmac')
    return invalid('algorithm', 'must be one of the RS, PS and ES algorithms with the key type pemKey.');
  // The public key can be computed from a private key.
  const field = isFilled(data['publicKey']) ? 'publicKey' : 'privateKey';
  const pem = data[field];
  if (!isFilled(pem)) return invalid('publicKey', 'must be a key in PEM form.');
  const key = parsePublicKey(pem);
  if (key === undefined) return invalid(field, 'must be a key in PEM form.');
  if (!fits(key, how)) {
    const needed =
      how.curve === undefined ? `an RSA key of at least ${MIN_RSA_BITS} bits` : `a key on the curve ${how.curve}`;
    return invalid(field, `must be ${needed} for ${algorithm}.`);
  }
  return { kind: 'key', algorithm, ...how, key };
};

/** Reads the key of a jwtAuth credential. Defaults: key type passphrase, algorithm HS256. */
export const readJwtKey = (data: JsonObject): JwtKey | JwtKeyError => {
  const { keyType = 'passphrase', algorithm = 'HS256' } = data;
  const how = typeof algorithm === 'string' ? ALGORITHMS.get(algorithm) : undefined;
  if (typeof algorithm !== 'string' || how === undefined)
    return invalid('algorithm', `must be one of ${JWT_ALGORITHMS.join(', ')}.`);
  if (keyType === 'passphrase') return readSecret(data, algorithm, how);
  return keyType === 'pemKey'
    ? readPublicKey(data, algorithm, how)
    : invalid('keyType', 'must be passphrase or pemKey.');
};
