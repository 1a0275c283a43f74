import { Buffer } from 'node:buffer';
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  getCiphers,
  getHashes,
  hkdfSync,
  pbkdf2Sync,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  scryptSync,
  sign,
  verify,
  type CipherGCMTypes,
  type KeyObject,
  type KeyPairKeyObjectResult,
} from 'node:crypto';
import { recordOf, textOf } from './operations';

type Fields = Readonly<Record<string, unknown>>;

/** Bytes arrive and leave as base64. */
const bytesOf = (value: unknown): Buffer => Buffer.from(textOf(value), 'base64');

const optionalBytes = (value: unknown): Buffer | undefined =>
  value === undefined || value === null ? undefined : bytesOf(value);

const numberOf = (value: unknown): number => {
  if (typeof value !== 'number') throw new TypeError('A number is expected');
  return value;
};

const optionalNumber = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : numberOf(value);

/** Maximum memory of one key derivation, in bytes: a process that exceeds its own limit ends. */
const MAX_SCRYPT_BYTES = 64 * 1024 * 1024;

/** Ciphers that authenticate, for which Node's functions have further options. */
const isAuthenticated = (algorithm: string): algorithm is CipherGCMTypes =>
  /gcm|ccm|ocb|poly1305/i.test(algorithm.slice(0, 100));

/**
 * Encrypts or decrypts `{ algorithm, key, iv, data, decrypts, isFinal, padding, aad, tag, tagLength }`: all data so
 * far, and the end if `isFinal`. Returns `{ data, tag? }`.
 * @throws Error for an unknown algorithm, a wrong key, or data that is not authentic
 */
export function cipher(argument: unknown): { data: string; tag?: string } {
  const fields = recordOf(argument);
  const algorithm = textOf(fields['algorithm']);
  const iv = optionalBytes(fields['iv']) ?? null;
  const key = bytesOf(fields['key']);
  const data = bytesOf(fields['data']);
  const aad = optionalBytes(fields['aad']);
  const isFinal = fields['isFinal'] === true;
  if (!isAuthenticated(algorithm)) {
    const make = fields['decrypts'] === true ? createDecipheriv : createCipheriv;
    const engine = make(algorithm, key, iv);
    if (fields['padding'] === false) engine.setAutoPadding(false);
    return { data: output(engine.update(data), isFinal ? engine.final() : undefined) };
  }
  const authTagLength = optionalNumber(fields['tagLength']);
  const options = authTagLength === undefined ? {} : { authTagLength };
  const nonce = iv ?? Buffer.alloc(0);
  if (fields['decrypts'] === true) {
    const engine = createDecipheriv(algorithm, key, nonce, options);
    const tag = optionalBytes(fields['tag']);
    if (tag !== undefined) engine.setAuthTag(tag);
    if (aad !== undefined) engine.setAAD(aad, { plaintextLength: data.length });
    return { data: output(engine.update(data), isFinal ? engine.final() : undefined) };
  }
  const engine = createCipheriv(algorithm, key, nonce, options);
  if (aad !== undefined) engine.setAAD(aad, { plaintextLength: data.length });
  const text = output(engine.update(data), isFinal ? engine.final() : undefined);
  return isFinal ? { data: text, tag: engine.getAuthTag().toString('base64') } : { data: text };
}

function output(body: Buffer, end: Buffer | undefined): string {
  return (end === undefined ? body : Buffer.concat([body, end])).toString('base64');
}

/** Derives a key from `{ kind, ... }`. Returns it in base64. */
export function deriveKey(argument: unknown): string {
  const fields = recordOf(argument);
  const [secret, salt, length] = [bytesOf(fields['secret']), bytesOf(fields['salt']), numberOf(fields['length'])];
  switch (fields['kind']) {
    case 'scrypt': {
      const { N, r, p, maxmem } = recordOf(fields['options']);
      const most = Math.min(optionalNumber(maxmem) ?? 32 * 1024 * 1024, MAX_SCRYPT_BYTES);
      const [cost, blockSize, parallelization] = [optionalNumber(N), optionalNumber(r), optionalNumber(p)];
      return scryptSync(secret, salt, length, {
        ...(cost === undefined ? {} : { N: cost }),
        ...(blockSize === undefined ? {} : { r: blockSize }),
        ...(parallelization === undefined ? {} : { p: parallelization }),
        maxmem: most,
      }).toString('base64');
    }
    case 'pbkdf2':
      return pbkdf2Sync(secret, salt, numberOf(fields['iterations']), length, textOf(fields['digest'])).toString(
        'base64',
      );
    case 'hkdf':
      return Buffer.from(hkdfSync(textOf(fields['digest']), secret, salt, bytesOf(fields['info']), length)).toString(
        'base64',
      );
    default:
      throw new TypeError('There is no such key derivation');
  }
}

const KEY_TYPES = ['pkcs1', 'pkcs8', 'sec1', 'spki'] as const;
type KeyType = (typeof KEY_TYPES)[number];

const keyTypeOf = (value: unknown): KeyType | undefined => KEY_TYPES.find((type) => type === value);

/** A key as Node reads it: PEM as text, or bytes with their format. */
interface Material {
  readonly key: string | Buffer;
  readonly format?: 'pem' | 'der';
  readonly type?: KeyType;
  readonly passphrase?: string;
}

function materialOf({ pem, bytes, format, type: given, passphrase }: Fields): Material {
  const secret = passphrase === undefined ? {} : { passphrase: textOf(passphrase) };
  if (typeof pem === 'string') return { key: pem, ...secret };
  const type = keyTypeOf(given);
  return {
    key: bytesOf(bytes),
    format: format === 'der' ? 'der' : 'pem',
    ...(type === undefined ? {} : { type }),
    ...secret,
  };
}

const isJwk = ({ format }: Fields): boolean => format === 'jwk';

const jwkOf = ({ bytes }: Fields) => ({ key: { ...recordOf(bytes) }, format: 'jwk' as const });

const privateKeyOf = (key: unknown): KeyObject => {
  const fields = recordOf(key);
  if (isJwk(fields)) return createPrivateKey(jwkOf(fields));
  const { type, ...material } = materialOf(fields);
  if (type === 'spki') throw new TypeError('The key is not a private key');
  return createPrivateKey({ ...material, ...(type === undefined ? {} : { type }) });
};

/** A public key can be derived from a private one. */
const publicKeyOf = (key: unknown): KeyObject => {
  const fields = recordOf(key);
  if (isJwk(fields)) return createPublicKey(jwkOf(fields));
  const { type, ...material } = materialOf(fields);
  if (type === 'pkcs8' || type === 'sec1') return createPublicKey(privateKeyOf(key));
  return createPublicKey({ ...material, ...(type === undefined ? {} : { type }) });
};

/** Encrypts or decrypts `{ direction, key, padding, oaepHash, oaepLabel, data }` with an RSA key. Returns base64. */
export function rsa(argument: unknown): string {
  const { direction, key, padding, oaepHash, oaepLabel, data } = recordOf(argument);
  const bytes = bytesOf(data);
  const label = optionalBytes(oaepLabel);
  const mode = optionalNumber(padding);
  const options = {
    ...(mode === undefined ? {} : { padding: mode }),
    ...(oaepHash === undefined ? {} : { oaepHash: textOf(oaepHash) }),
    ...(label === undefined ? {} : { oaepLabel: label }),
  };
  switch (direction) {
    case 'publicEncrypt':
      return publicEncrypt({ key: publicKeyOf(key), ...options }, bytes).toString('base64');
    case 'publicDecrypt':
      return publicDecrypt({ key: publicKeyOf(key), ...options }, bytes).toString('base64');
    case 'privateEncrypt':
      return privateEncrypt({ key: privateKeyOf(key), ...options }, bytes).toString('base64');
    case 'privateDecrypt':
      return privateDecrypt({ key: privateKeyOf(key), ...options }, bytes).toString('base64');
    default:
      throw new TypeError('There is no such direction');
  }
}

/** Signs, or verifies if there is a `signature`: `{ algorithm, key, padding, saltLength, dsaEncoding, data }`. */
export function signature(argument: unknown): string | boolean {
  const fields = recordOf(argument);
  const algorithm = fields['algorithm'] === null ? null : textOf(fields['algorithm']);
  const [padding, saltLength] = [optionalNumber(fields['padding']), optionalNumber(fields['saltLength'])];
  const options = {
    ...(padding === undefined ? {} : { padding }),
    ...(saltLength === undefined ? {} : { saltLength }),
    ...(fields['dsaEncoding'] === 'ieee-p1363' ? { dsaEncoding: 'ieee-p1363' as const } : {}),
  };
  const data = bytesOf(fields['data']);
  if (fields['signature'] === undefined)
    return sign(algorithm, data, { key: privateKeyOf(fields['key']), ...options }).toString('base64');
  return verify(algorithm, data, { key: publicKeyOf(fields['key']), ...options }, bytesOf(fields['signature']));
}

/** Describes a key: `{ key, isPrivate }`. Returns its PEM and type. @throws Error if it is not one */
export function readKey(argument: unknown): { pem: string; type: string } {
  const { key, isPrivate } = recordOf(argument);
  const read = isPrivate === true ? privateKeyOf(key) : publicKeyOf(key);
  const type = isPrivate === true ? 'pkcs8' : 'spki';
  return { pem: read.export({ type, format: 'pem' }).toString(), type: read.asymmetricKeyType ?? '' };
}

/** Exports a key: `{ key, isPrivate, type, format }`. Returns PEM text, or DER in base64. */
export function exportKey(argument: unknown): string {
  const { key, isPrivate, type, format } = recordOf(argument);
  const read = isPrivate === true ? privateKeyOf(key) : publicKeyOf(key);
  if (format === 'jwk') return JSON.stringify(read.export({ format: 'jwk' }));
  const kind = keyTypeOf(type) ?? (isPrivate === true ? 'pkcs8' : 'spki');
  return format === 'der'
    ? read.export({ type: kind, format: 'der' }).toString('base64')
    : read.export({ type: kind, format: 'pem' }).toString();
}

/** Makes a pair of keys: `{ type, modulusLength?, namedCurve? }`. Returns their PEM. */
export function makeKeys(argument: unknown): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = pairOf(recordOf(argument));
  return {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function pairOf({ type, modulusLength, namedCurve }: Fields): KeyPairKeyObjectResult {
  switch (type) {
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: optionalNumber(modulusLength) ?? 2_048 });
    case 'ec':
      return generateKeyPairSync('ec', { namedCurve: textOf(namedCurve) });
    case 'ed25519':
      return generateKeyPairSync('ed25519');
    case 'x25519':
      return generateKeyPairSync('x25519');
    default:
      throw new TypeError('Use a key of type rsa, ec, ed25519 or x25519');
  }
}

/** Names of algorithms, and numbers of paddings and salt lengths. */
export function cryptoNames(): { ciphers: string[]; hashes: string[]; constants: Record<string, number> } {
  const numbers = Object.entries(constants).filter(([name]) => name.startsWith('RSA_'));
  return {
    ciphers: getCiphers(),
    hashes: getHashes(),
    constants: Object.fromEntries(numbers.map(([name, value]) => [name, Number(value)])),
  };
}
