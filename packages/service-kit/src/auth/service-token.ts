import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { createBoundedCache } from '../caching';
import { Unauthorized } from '../errors';
import { roleOf, type Principal } from './roles';

const LIFETIME_MS = 60_000;
const REUSE_MS = 30_000;
const CACHE_SIZE = 2_000;

/** Calling service, perhaps on behalf of a user. */
export interface ServiceCaller {
  readonly service: string;
  readonly principal: Principal | undefined;
}

/** Signs the tokens by which a service authenticates to another. */
export type TokenSigner = (audience: string, principal?: Principal) => string;

/**
 * Verifies a token. @throws Unauthorized if it is malformed, for another service, expired, or of an unknown service.
 */
export type TokenVerifier = (token: string) => ServiceCaller;

/**
 * Tokens of one service: `base64url(claims).base64url(Ed25519 signature)`, valid for a minute.
 * A token is reused for half of that, so that most calls need no signature.
 * @param privateKey PKCS#8 DER in base64.
 */
export const createTokenSigner = (service: string, privateKey: string): TokenSigner => {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  const cache = createBoundedCache<string, { token: string; until: number }>({ maxEntries: CACHE_SIZE });
  return function signToken(audience, principal) {
    const now = Date.now();
    const cacheKey = principal === undefined ? audience : `${audience} ${principal.userId} ${principal.role}`;
    const known = cache.get(cacheKey);
    if (known !== undefined && known.until > now) return known.token;
    const claims = Buffer.from(
      JSON.stringify({
        iss: service,
        aud: audience,
        sub: principal?.userId,
        role: principal?.role,
        exp: now + LIFETIME_MS,
      }),
    );
    const token = `${claims.toString('base64url')}.${sign(null, claims, key).toString('base64url')}`;
    cache.set(cacheKey, { token, until: now + REUSE_MS });
    return token;
  };
};

interface Claims {
  readonly iss: string;
  readonly aud: string;
  readonly sub?: string;
  readonly role?: string;
  readonly exp: number;
}

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' &&
  value !== null &&
  'iss' in value &&
  typeof value.iss === 'string' &&
  'aud' in value &&
  typeof value.aud === 'string' &&
  'exp' in value &&
  typeof value.exp === 'number';

const readClaims = (text: string): Claims => {
  try {
    const value: unknown = JSON.parse(text);
    if (isClaims(value)) return value;
  } catch {
    // Not JSON: refused like any other malformed token.
  }
  throw new Unauthorized('The service token is malformed.');
};

/**
 * Public keys by service name from `name=SPKI DER in base64`, separated by commas.
 * @throws Error if one cannot be read.
 */
const readPublicKeys = (publicKeys: string): ReadonlyMap<string, KeyObject> =>
  new Map(
    publicKeys
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => {
        const at = entry.indexOf('=');
        const key = createPublicKey({ key: Buffer.from(entry.slice(at + 1), 'base64'), format: 'der', type: 'spki' });
        return [entry.slice(0, at).trim(), key];
      }),
  );

/**
 * Verifies tokens for `audience`. Verified tokens are cached until they expire, in a bounded number.
 * @param publicKeys as in SERVICE_PUBLIC_KEYS.
 */
export const createTokenVerifier = (audience: string, publicKeys: string): TokenVerifier => {
  const keys = readPublicKeys(publicKeys);
  const cache = createBoundedCache<string, { caller: ServiceCaller; until: number }>({ maxEntries: CACHE_SIZE });
  return function verifyToken(token) {
    const known = cache.get(token);
    if (known !== undefined && known.until > Date.now()) return known.caller;
    const [claimsPart = '', signaturePart = ''] = token.split('.');
    const bytes = Buffer.from(claimsPart, 'base64url');
    const claims = readClaims(bytes.toString('utf8'));
    const key = keys.get(claims.iss);
    if (key === undefined || !verify(null, bytes, key, Buffer.from(signaturePart, 'base64url')))
      throw new Unauthorized('The signature of the service token is not valid.');
    if (claims.aud !== audience || claims.exp < Date.now())
      throw new Unauthorized('The service token is for another service, or has expired.');
    const role = roleOf(claims.role ?? '');
    const principal = claims.sub === undefined || role === undefined ? undefined : { userId: claims.sub, role };
    const caller = { service: claims.iss, principal };
    cache.set(token, { caller, until: claims.exp });
    return caller;
  };
};
