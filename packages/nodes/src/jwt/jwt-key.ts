import { createPrivateKey, createPublicKey, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import type { Algorithm } from 'jsonwebtoken';
import { NodeFailure } from '@weft/engine';

const SECRET_ALGORITHMS: readonly Algorithm[] = ['HS256', 'HS384', 'HS512'];
const KEY_ALGORITHMS: readonly Algorithm[] = [
  'RS256',
  'RS384',
  'RS512',
  'ES256',
  'ES384',
  'ES512',
  'PS256',
  'PS384',
  'PS512',
];

/** Supported signing algorithms. `none` is never supported. */
export const ALGORITHMS: readonly Algorithm[] = [...SECRET_ALGORITHMS, ...KEY_ALGORITHMS];

/** A key and the only algorithm it is used for: the token cannot change it. */
export interface JwtKey {
  readonly key: KeyObject;
  readonly algorithm: Algorithm;
}

/**
 * The key of a jwtAuth credential, with the algorithm of the node or, by default, of the credential.
 * @throws NodeFailure if the algorithm does not match the key, or the key cannot be read; the message never includes
 * the key
 */
export function readKey(data: JsonObject, use: 'sign' | 'verify', given: string): JwtKey {
  const isSecret = (data['keyType'] ?? 'passphrase') === 'passphrase';
  const name = given === '' ? (data['algorithm'] ?? (isSecret ? 'HS256' : 'RS256')) : given;
  const fitting = isSecret ? SECRET_ALGORITHMS : KEY_ALGORITHMS;
  const algorithm = fitting.find((one) => one === name);
  if (algorithm === undefined) {
    throw new NodeFailure(
      `The algorithm "${String(name).slice(0, 50)}" cannot be used with this credential, which has a ` +
        `${isSecret ? 'secret' : 'key pair'}. Use one of ${fitting.join(', ')}.`,
    );
  }
  return { algorithm, key: isSecret ? secretKey(data) : pemKey(data, use) };
}

function secretKey(data: JsonObject): KeyObject {
  const { secret } = data;
  if (typeof secret !== 'string' || secret === '') throw new NodeFailure('The credential has no secret.');
  return createSecretKey(Buffer.from(secret));
}

function pemKey(data: JsonObject, use: 'sign' | 'verify'): KeyObject {
  const field = use === 'sign' ? 'privateKey' : 'publicKey';
  const pem = data[field];
  if (typeof pem !== 'string' || pem === '') throw new NodeFailure(`The credential has no "${field}".`);
  try {
    return use === 'sign' ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    throw new NodeFailure(`The "${field}" of the credential is not a key in PEM form.`);
  }
}
