import { isExpiring, oauth2ClientOf, type OAuth2Tokens } from '@weft/node-catalogue';
import { Unavailable } from '@weft/service-kit/errors';
import { readData } from '../credentials/check-credential';
import { CredentialNotFound } from '../errors';
import type { CredentialStore, StoredCredential } from '../ownership/credential';
import { CredentialNeedsLogin, TokenRefreshFailed } from './errors';
import type { RefreshOnce } from './refresh-once';
import { hashOf } from '../token';
import { storedTokens } from './stored-tokens';
import type { Sealer } from '../sealing';

/** A use of a credential. */
export interface TokenUse {
  readonly credential: StoredCredential;
  /** SHA-256 in base64url of an access token that a service has just answered with 401; undefined: none. */
  readonly refusedTokenHash?: string | undefined;
}

/**
 * The credential with tokens that can be used now: they are refreshed if they are about to expire, or if a service
 * refused the access token. Credentials without such tokens are returned unchanged.
 * @throws CredentialNeedsLogin, TokenRefreshFailed, CredentialUnreadable, CredentialNotFound, Unavailable, TimedOut
 */
export type WithFreshTokens = (use: TokenUse) => Promise<StoredCredential>;

export interface RefreshPorts {
  readonly credentials: Pick<CredentialStore, 'findById'>;
  readonly sealer: Pick<Sealer, 'open'>;
  readonly refreshOnce: RefreshOnce;
  readonly clock: () => Date;
  readonly wait: (ms: number) => Promise<void>;
  /** Runs work for several calls, apart from the deadline of each. */
  readonly detached: <Result>(work: () => Result) => Result;
}

/** Time for which a use waits for the refresh of another replica, in milliseconds. */
export const MAX_WAIT_MS = 15_000;
const POLL_MS = 200;

/** A younger access token is not refreshed because of a 401: a fresh one would be refused as well. */
const MIN_AGE_MS = 60_000;

/** Creates the use case. Concurrent uses in this process share one refresh; those of other replicas wait for it. */
export const createWithFreshTokens = ({
  credentials,
  sealer,
  refreshOnce,
  clock,
  wait,
  detached,
}: RefreshPorts): WithFreshTokens => {
  /** Refreshes under way in this process, by credential and access token. */
  const underWay = new Map<string, Promise<StoredCredential>>();

  const isStale = (tokens: OAuth2Tokens, refusedTokenHash: string | undefined): boolean => {
    const now = clock().getTime();
    if (isExpiring(tokens, now)) return true;
    if (refusedTokenHash === undefined || hashOf(tokens.accessToken) !== refusedTokenHash) return false;
    return tokens.issuedAt === undefined || now - tokens.issuedAt >= MIN_AGE_MS;
  };

  /** Refreshes, or waits until another replica has. */
  const refresh = async (first: StoredCredential, tokenHash: string): Promise<StoredCredential> => {
    const until = performance.now() + MAX_WAIT_MS;
    let credential = first;
    for (;;) {
      const tokens = checkLogin(sealer, credential);
      if (tokens === undefined || hashOf(tokens.accessToken) !== tokenHash) return credential;
      const lease = credential.oauth2?.lease;
      if (lease === undefined || lease.until <= clock()) {
        const refreshed = await refreshOnce(credential, tokens);
        if (refreshed !== undefined) return refreshed;
      }
      if (performance.now() >= until)
        throw new Unavailable('The tokens of the credential are being refreshed. Try again.', undefined, 5);
      await wait(POLL_MS);
      const next = await credentials.findById(credential.id);
      if (next === undefined) throw new CredentialNotFound(credential.id);
      credential = next;
    }
  };

  const shared = (credential: StoredCredential, tokens: OAuth2Tokens): Promise<StoredCredential> => {
    const tokenHash = hashOf(tokens.accessToken);
    const key = `${credential.id} ${tokenHash}`;
    const present = underWay.get(key);
    if (present !== undefined) return present;
    // Not within the deadline of the use that happens to be the first.
    const work = detached(() => refresh(credential, tokenHash)).finally(() => underWay.delete(key));
    underWay.set(key, work);
    return work;
  };

  return async function withFreshTokens({ credential, refusedTokenHash }) {
    const tokens = checkLogin(sealer, credential);
    if (tokens === undefined || !isStale(tokens, refusedTokenHash)) return credential;
    if (tokens.refreshToken === undefined) return credential;
    try {
      return await shared(credential, tokens);
    } catch (error) {
      // The token endpoint is away, and the access token is still good for a moment.
      const isUsable = refusedTokenHash === undefined && (tokens.expiresAt ?? 0) > clock().getTime();
      if (isUsable && (error instanceof TokenRefreshFailed || error instanceof Unavailable)) return credential;
      throw error;
    }
  };
};

/** The tokens of a credential that users sign in with; undefined for other credentials. @throws CredentialNeedsLogin */
const checkLogin = (sealer: Pick<Sealer, 'open'>, credential: StoredCredential): OAuth2Tokens | undefined => {
  const { id, name, type, oauth2 } = credential;
  if (oauth2?.login === 'needsLogin') throw new CredentialNeedsLogin({ id, name }, oauth2.message);
  const client = oauth2ClientOf(type, {});
  if (client === undefined) return undefined;
  const data = readData(sealer.open(credential, credential.sealed));
  return oauth2ClientOf(type, data)?.grant === 'login' ? storedTokens(sealer, credential) : undefined;
};
