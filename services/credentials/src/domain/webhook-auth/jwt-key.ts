import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { JsonObject, Json } from '@weft/service-kit/json';

/** How one algorithm of RFC 7518 verifies. */
interface Algorithm {
  readonly family: 'hmac' | 'rsa' | 'pss' | 'ecdsa';
  readonly hash: 'sha256' | 'sha384' | 'sha512';
  /** Name of the only curve the algorithm allows. */
  readonly curve?: string;
}

/** A key with the one algorithm it may be used for; the token has no say in it. */
export interface JwtKey extends Algorithm {
  readonly kind: 'key';
  readonly algorithm: string;
  readonly key: KeyObject;
}

/** Why a credential gives no key. */
export interface JwtKeyError {
  readonly kind: 'fault';
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

const LEAST_RSA_BITS = 2_048;

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';

const fault = (field: string, message: string): JwtKeyError => ({ kind: 'fault', field, message });

const readSecret = (data: JsonObject, algorithm: string, how: Algorithm): JwtKey | JwtKeyError => {
  if (how.family !== 'hmac') return fault('algorithm', 'With the key type passphrase use HS256, HS384 or HS512.');
  const { secret } = data;
  if (!isText(secret)) return fault('secret', 'jwtAuth needs a string that is not empty here.');
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
  return key.asymmetricKeyType === 'rsa' && modulusLength >= LEAST_RSA_BITS;
};

const readPublicKey = (data: JsonObject, algorithm: string, how: Algorithm): JwtKey | JwtKeyError => {
  if (how.family === 'hmac')
    return fault('algorithm', 'With the key type pemKey use one of the RS, PS and ES algorithms.');
  // The public half can be computed from a private key.
  const field = isText(data['publicKey']) ? 'publicKey' : 'privateKey';
  const pem = data[field];
  if (!isText(pem)) return fault('publicKey', 'jwtAuth needs a key in PEM form here.');
  const key = parsePublicKey(pem);
  if (key === undefined) return fault(field, 'This is not a key in PEM form.');
  if (!fits(key, how)) {
    const needed =
      how.curve === undefined ? `an RSA key of at least ${LEAST_RSA_BITS} bits` : `a key on the curve ${how.curve}`;
    return fault(field, `This key does not fit ${algorithm}, which takes ${needed}.`);
  }
  return { kind: 'key', algorithm, ...how, key };
};

/** The key of a jwtAuth credential. Without words for them, the key type is passphrase and the algorithm HS256. */
export const readJwtKey = (data: JsonObject): JwtKey | JwtKeyError => {
  const { keyType = 'passphrase', algorithm = 'HS256' } = data;
  const how = typeof algorithm === 'string' ? ALGORITHMS.get(algorithm) : undefined;
  if (typeof algorithm !== 'string' || how === undefined)
    return fault('algorithm', `Use one of ${JWT_ALGORITHMS.join(', ')}.`);
  if (keyType === 'passphrase') return readSecret(data, algorithm, how);
  return keyType === 'pemKey' ? readPublicKey(data, algorithm, how) : fault('keyType', 'Use passphrase or pemKey.');
};
