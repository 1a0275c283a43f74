import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { createBoundedCache } from '../caching';
import { ServiceTokenRefused } from '../errors';
import { roleOf, scopeOf, type Principal } from './roles';

const LIFETIME_MS = 60_000;
const REUSE_MS = 30_000;
/** How far the clock of a caller may be ahead. It may be as far behind, because tokens are reused for half a minute. */
const MAX_SKEW_MS = 30_000;
/** Enough for the tokens of a few hundred users, one for each method they call. */
const CACHE_SIZE = 10_000;
const KEY_ID_LENGTH = 12;

/** Calling service, perhaps on behalf of a user. */
export interface ServiceCaller {
  readonly service: string;
  readonly principal: Principal | undefined;
}

/**
 * Signs the tokens by which a service authenticates to another.
 * @param method path of the method that is called, for example `/weft.executions.v1.ExecutionService/GetExecution`
 * @param isRefused true if the last token for this call was refused: it is replaced
 */
export type TokenSigner = (audience: string, method: string, principal?: Principal, isRefused?: boolean) => string;

/**
 * Verifies a token for a call of `method`.
 * @throws ServiceTokenRefused if it is malformed, for another service or method, expired, or of an unknown service or
 * role
 */
export type TokenVerifier = (token: string, method: string) => ServiceCaller;

/** Cache key of a principal for token reuse. */
const nameOf = (principal: Principal | undefined): string =>
  principal === undefined
    ? ''
    : JSON.stringify([
        principal.userId,
        principal.role,
        principal.scopes ?? null,
        principal.projects ?? null,
        principal.reads ?? null,
        principal.inRun ?? null,
      ]);

/** Id of a key pair, derived from its public key: verifiers use it to pick one of a service's keys. */
const keyIdOf = (publicKey: KeyObject): string =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest('base64url')
    .slice(0, KEY_ID_LENGTH);

const readPrivateKey = (privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' });

/** @throws Error if it is not a private key; the message does not contain the key */
export const checkPrivateKey = (privateKey: string): void => {
  try {
    if (readPrivateKey(privateKey).asymmetricKeyType === 'ed25519') return;
  } catch {
    // The library's message does not help.
  }
  throw new Error('is not an Ed25519 private key, PKCS#8 DER in base64');
};

/** A string, or a function that returns its current value. */
type Current = string | (() => string);

/** Caches a value made from a string and remakes it when the string changes. */
const madeFrom = <Made>(current: Current, make: (text: string) => Made): (() => Made) => {
  const textNow = typeof current === 'string' ? () => current : current;
  let text = textNow();
  let made = make(text);
  return () => {
    const now = textNow();
    if (now !== text) {
      made = make(now);
      text = now;
    }
    return made;
  };
};

/** True if a token may be reused: not for long, and not if the wall clock was set since it was issued. */
const isCurrent = ({ issuedAt, until }: { readonly issuedAt: number; readonly until: number }, now: number): boolean =>
  performance.now() < until && now >= issuedAt && now - issuedAt < REUSE_MS;

/**
 * Signs the tokens of one service: `base64url(claims).base64url(Ed25519 signature)`, valid for one method for a minute.
 * A token is reused for half a minute, so most calls need no signature.
 * @param privateKey PKCS#8 DER in base64. A changed key signs from the next token on.
 */
export const createTokenSigner = (service: string, privateKey: Current): TokenSigner => {
  const signing = madeFrom(privateKey, (text) => {
    const key = readPrivateKey(text);
    const cache = createBoundedCache<string, { token: string; issuedAt: number; until: number }>({
      maxEntries: CACHE_SIZE,
    });
    return { key, kid: keyIdOf(createPublicKey(key)), cache };
  });
  return function signToken(audience, method, principal, isRefused = false) {
    const { key, kid, cache } = signing();
    const now = Date.now();
    const cacheKey = `${audience} ${method} ${nameOf(principal)}`;
    const known = isRefused ? undefined : cache.get(cacheKey);
    if (known !== undefined && isCurrent(known, now)) return known.token;
    const claims = Buffer.from(
      JSON.stringify({
        iss: service,
        kid,
        aud: audience,
        method,
        sub: principal?.userId,
        // No plain role for a limited user: a verifier that does not know scopes then refuses the token.
        ...(principal?.scopes === undefined
          ? { role: principal?.role }
          : { limited: { role: principal.role, scopes: principal.scopes } }),
        // Only widens: a verifier that does not know projects grants less.
        projects: principal?.projects,
        reads: principal?.reads,
        inRun: principal?.inRun,
        iat: now,
        exp: now + LIFETIME_MS,
      }),
    );
    const token = `${claims.toString('base64url')}.${sign(null, claims, key).toString('base64url')}`;
    cache.set(cacheKey, { token, issuedAt: now, until: performance.now() + REUSE_MS });
    return token;
  };
};

interface Limited {
  readonly role: string;
  readonly scopes: readonly string[];
}

interface Claims {
  readonly iss: string;
  /** Id of the signing key. */
  readonly kid: string;
  readonly aud: string;
  readonly method: string;
  readonly sub?: string;
  readonly role?: string;
  /** Replaces the role if the user's key is limited to scopes. */
  readonly limited?: Limited;
  /** Ids of the projects whose contents the user may change. */
  readonly projects?: readonly string[];
  /** Ids of the projects that the user only reads. */
  readonly reads?: readonly string[];
  /** True if a run acts for the user. */
  readonly inRun?: true;
  /** Unix milliseconds, like `exp`. */
  readonly iat: number;
  readonly exp: number;
}

const isOptionalString = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

const isLimited = (value: unknown): value is Limited =>
  typeof value === 'object' &&
  value !== null &&
  'role' in value &&
  typeof value.role === 'string' &&
  'scopes' in value &&
  isTexts(value.scopes);

const isClaims = (value: unknown): value is Claims =>
  typeof value === 'object' &&
  value !== null &&
  'iss' in value &&
  typeof value.iss === 'string' &&
  'kid' in value &&
  typeof value.kid === 'string' &&
  'aud' in value &&
  typeof value.aud === 'string' &&
  'method' in value &&
  typeof value.method === 'string' &&
  (!('sub' in value) || isOptionalString(value.sub)) &&
  (!('role' in value) || isOptionalString(value.role)) &&
  (!('limited' in value) || (isLimited(value.limited) && !('role' in value))) &&
  (!('projects' in value) || isTexts(value.projects)) &&
  (!('reads' in value) || isTexts(value.reads)) &&
  (!('inRun' in value) || value.inRun === true) &&
  'iat' in value &&
  Number.isSafeInteger(value.iat) &&
  'exp' in value &&
  Number.isSafeInteger(value.exp);

const malformed = (): ServiceTokenRefused => new ServiceTokenRefused('The service token is malformed.');

/** The two parts of a token, each in canonical Base64. */
const readParts = (token: string): readonly [claims: Buffer, signature: Buffer] => {
  const parts = token.split('.').map((text) => {
    const bytes = Buffer.from(text, 'base64url');
    if (text === '' || bytes.toString('base64url') !== text) throw malformed();
    return bytes;
  });
  const [claims, signature, ...others] = parts;
  if (claims === undefined || signature === undefined || others.length > 0) throw malformed();
  return [claims, signature];
};

const readClaims = (bytes: Buffer): Claims => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isClaims(value)) return value;
  } catch {
    // Not JSON: refused like any malformed token.
  }
  throw malformed();
};

/** A token of a user with an unknown role must not pass as a token of the service itself. */
const principalOf = ({ sub, role, limited, projects, reads, inRun }: Claims): Principal | undefined => {
  if ([sub, role, limited, projects, reads, inRun].every((claim) => claim === undefined)) return undefined;
  const known = roleOf(limited?.role ?? role ?? '');
  if (sub === undefined || sub === '' || known === undefined)
    throw new ServiceTokenRefused('The service token names no user, or one with an unknown role.');
  // A scope that this version does not know grants nothing.
  const scopes = limited?.scopes.flatMap((name) => scopeOf(name) ?? []);
  return {
    userId: sub,
    role: known,
    ...(scopes === undefined ? {} : { scopes }),
    ...(projects === undefined ? {} : { projects }),
    ...(reads === undefined ? {} : { reads }),
    ...(inRun === undefined ? {} : { inRun }),
  };
};

const checkTimes = ({ iat, exp }: Claims): void => {
  const now = Date.now();
  if (exp < now) throw new ServiceTokenRefused('The service token has expired.');
  if (exp - iat > LIFETIME_MS || iat > now + MAX_SKEW_MS)
    throw new ServiceTokenRefused(`The service token is valid for more than ${LIFETIME_MS / 1_000} s, or not yet.`);
};

const keyNameOf = (service: string, kid: string): string => `${service} ${kid}`;

/**
 * Public keys by service and id from `name=SPKI DER in base64`, separated by commas. A service may have several, so
 * that its key can be replaced without interrupting calls.
 * @throws Error that names the unreadable entry
 */
const readPublicKeys = (publicKeys: string): ReadonlyMap<string, KeyObject> =>
  new Map(
    publicKeys
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => {
        const at = entry.indexOf('=');
        const service = entry.slice(0, at).trim();
        try {
          const key = createPublicKey({ key: Buffer.from(entry.slice(at + 1), 'base64'), format: 'der', type: 'spki' });
          return [keyNameOf(service, keyIdOf(key)), key];
        } catch (error) {
          throw new Error(`has an entry that cannot be read: the key of "${service}" is not SPKI DER in base64`, {
            cause: error,
          });
        }
      }),
  );

/** @throws Error that names the unreadable entry */
export const checkPublicKeys = (publicKeys: string): void => void readPublicKeys(publicKeys);

/**
 * Verifies tokens for `audience`. A bounded cache holds verified tokens until they expire.
 * @param publicKeys as in SERVICE_PUBLIC_KEYS. Once a key is removed, its tokens are refused immediately.
 */
export const createTokenVerifier = (audience: string, publicKeys: Current): TokenVerifier => {
  const verifying = madeFrom(publicKeys, (text) => ({
    keys: readPublicKeys(text),
    cache: createBoundedCache<string, { caller: ServiceCaller; method: string; exp: number; until: number }>({
      maxEntries: CACHE_SIZE,
    }),
  }));
  return function verifyToken(token, method) {
    const { keys, cache } = verifying();
    const known = cache.get(token);
    const isKnown = known !== undefined && known.until > performance.now() && known.exp > Date.now();
    if (isKnown && known.method === method) return known.caller;
    const [bytes, signature] = readParts(token);
    const claims = readClaims(bytes);
    const key = keys.get(keyNameOf(claims.iss, claims.kid));
    if (key === undefined || !verify(null, bytes, key, signature))
      throw new ServiceTokenRefused('The signature of the service token is not valid.');
    if (claims.aud !== audience || claims.method !== method)
      throw new ServiceTokenRefused('The service token is for another service or method.');
    checkTimes(claims);
    const caller = { service: claims.iss, principal: principalOf(claims) };
    cache.set(token, { caller, method, exp: claims.exp, until: performance.now() + LIFETIME_MS });
    return caller;
  };
};
