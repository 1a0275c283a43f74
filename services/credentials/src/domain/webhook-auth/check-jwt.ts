import { constants, createHmac, timingSafeEqual, verify } from 'node:crypto';
import { JSON_LIMITS, parseJson, type JsonObject } from '@weft/service-kit/json';
import { readJwtKey, type JwtKey } from '../credentials/jwt-key';
import { grantedBy, MISSING, WRONG, type Headers, type AuthOutcome } from './outcome';

const MAX_TOKEN_LENGTH = 16_384;

/** Tolerated clock skew, in seconds. */
const SKEW_S = 60;

const BASE64URL = /^[A-Za-z0-9_-]+$/;

const readObject = (part: string): JsonObject | undefined => {
  try {
    const value = parseJson(Buffer.from(part, 'base64url'), { ...JSON_LIMITS, maxBytes: MAX_TOKEN_LENGTH });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isSigned = ({ family, hash, key }: JwtKey, signed: Buffer, signature: Buffer): boolean => {
  if (family === 'hmac') {
    const expected = createHmac(hash, key).update(signed).digest();
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  }
  if (family === 'ecdsa') return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
  if (family === 'rsa') return verify(hash, signed, key, signature);
  return verify(
    hash,
    signed,
    { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
    signature,
  );
};

/** `exp` and `nbf` are optional, as in RFC 7519; if present they must be numbers and currently valid. */
const isNow = ({ exp, nbf }: JsonObject, nowS: number): boolean => {
  if (exp !== undefined && !(typeof exp === 'number' && nowS < exp + SKEW_S)) return false;
  return nbf === undefined || (typeof nbf === 'number' && nowS >= nbf - SKEW_S);
};

const claimsOf = (token: string, key: JwtKey, nowS: number): JsonObject | undefined => {
  const parts = token.split('.');
  const [headerPart = '', claimsPart = '', signaturePart = ''] = parts;
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return undefined;
  const header = readObject(headerPart);
  // The credential decides the algorithm; `crit` requires extensions that are not supported here.
  if (header === undefined || header['alg'] !== key.algorithm || header['crit'] !== undefined) return undefined;
  if (!isSigned(key, Buffer.from(`${headerPart}.${claimsPart}`), Buffer.from(signaturePart, 'base64url')))
    return undefined;
  const claims = readObject(claimsPart);
  return claims !== undefined && isNow(claims, nowS) ? claims : undefined;
};

/** Checks a bearer token against a credential of type jwtAuth. The outcome of a valid token has its claims. */
export const checkJwt = (data: JsonObject, headers: Headers, now: Date): AuthOutcome => {
  const token = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (token === undefined) return MISSING;
  const key = readJwtKey(data);
  if (key.kind === 'error' || token.length > MAX_TOKEN_LENGTH) return WRONG;
  const claims = claimsOf(token, key, now.getTime() / 1_000);
  return claims === undefined ? WRONG : grantedBy('authorization', JSON.stringify(claims));
};
