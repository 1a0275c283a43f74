import type { OAuth2Tokens } from '@weft/node-catalogue';
import { ServiceError } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import type { OpenCredential } from '../credentials/open-credential';
import { CredentialBusy, CredentialNotFound } from '../errors';
import type { CredentialStore, StoredCredential } from '../ownership/credential';
import type { Sealer } from '../sealing';
import { CredentialNeedsLogin, TokenRefreshFailed } from './errors';
import type { RefreshLease } from './oauth2-state';
import type { IssuedTokens, RequestTokens, TokenOutcome } from './request-tokens';
import { hashOf } from '../token';
import { inState, storedTokens, withTokens } from './stored-tokens';

/** Outcome of a refresh, for metrics. */
export type RefreshOutcome = 'refreshed' | 'needs_login' | 'refused' | 'unanswered';

export interface RefreshOncePorts {
  readonly credentials: Pick<CredentialStore, 'findById' | 'replace'>;
  readonly sealer: Pick<Sealer, 'open' | 'seal' | 'signGrant'>;
  readonly openCredential: OpenCredential;
  readonly requestTokens: RequestTokens;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
  readonly onRefresh: (outcome: RefreshOutcome) => void;
}

/**
 * Takes the lease on a credential, refreshes its tokens and stores them before anyone uses them.
 * @returns undefined if the credential was changed before the lease was taken
 * @throws CredentialNeedsLogin if the service withdrew the sign-in; TokenRefreshFailed, CredentialNotFound,
 * CredentialBusy, CredentialUnreadable, CredentialFileUnusable, Unavailable, TimedOut
 */
export type RefreshOnce = (credential: StoredCredential, tokens: OAuth2Tokens) => Promise<StoredCredential | undefined>;

/** Longer than both tries of a token request. */
export const LEASE_MS = 30_000;
/** A response that cannot be stored is lost, with a refresh token that may be the only valid one. */
const MAX_STORE_TRIES = 10;

const LOST_RESPONSE =
  'An earlier refresh was interrupted before its response was stored, and the service no longer accepts the old ' +
  'refresh token. Sign in again.';

const withdrawn = (message: string): string => `${message} The sign-in has ended there: sign in again.`;

/** Creates the use case. */
export const createRefreshOnce = (ports: RefreshOncePorts): RefreshOnce => {
  const { credentials, sealer, openCredential, requestTokens, recordAudit, newId, clock, onRefresh } = ports;

  /**
   * Applies a change to the credential as it is now, as long as it has the tokens that were sent.
   * @param needsLease true: and only if no other lease was taken meanwhile
   * @returns the credential, with the change unless a condition does not hold
   */
  const settle = async (
    id: string,
    lease: RefreshLease,
    change: (credential: StoredCredential) => StoredCredential,
    needsLease = true,
  ): Promise<StoredCredential> => {
    for (let tried = 0; tried < MAX_STORE_TRIES; tried += 1) {
      const now = await credentials.findById(id);
      if (now === undefined) throw new CredentialNotFound(id);
      const refreshToken = storedTokens(sealer, now)?.refreshToken;
      if (refreshToken === undefined || hashOf(refreshToken) !== lease.tokenHash) return now;
      if (needsLease && now.oauth2?.lease?.id !== lease.id) return now;
      const changed = change(now);
      if (await credentials.replace(changed, now.revision)) return changed;
    }
    throw new CredentialBusy(id);
  };

  /** Ends the lease. @param isAnswered false: it stays as a note that the service may have replaced the token */
  const release = (id: string, lease: RefreshLease, isAnswered: boolean): Promise<StoredCredential> =>
    settle(id, lease, (credential) => {
      const { login = 'signedIn', message = '', lostAt } = credential.oauth2 ?? {};
      return inState(credential, {
        login,
        message,
        ...(lostAt === undefined ? {} : { lostAt }),
        ...(isAnswered ? {} : { lease: { ...lease, until: clock() } }),
      });
    });

  const store = async (
    id: string,
    lease: RefreshLease,
    tokens: IssuedTokens,
    issuedAt: number,
  ): Promise<StoredCredential> => {
    // Even without the lease: the service has replaced the refresh token.
    const renewed = (credential: StoredCredential): StoredCredential =>
      withTokens(sealer, credential, tokens, issuedAt);
    const stored = await settle(id, lease, renewed, false);
    onRefresh('refreshed');
    return stored;
  };

  /** @throws CredentialNeedsLogin, unless another refresh token was stored meanwhile */
  const lose = async (
    credential: StoredCredential,
    lease: RefreshLease,
    message: string,
  ): Promise<StoredCredential> => {
    const { id, name, type } = credential;
    const lost = { login: 'needsLogin', message, lostAt: clock() } as const;
    const now = await settle(id, lease, (one) => inState(one, lost));
    if (now.oauth2?.login !== 'needsLogin') return now;
    onRefresh('needs_login');
    await recordAudit({
      action: 'credential.needs-login',
      actor: 'service:credentials',
      about: { credentialId: id, type },
    });
    throw new CredentialNeedsLogin({ id, name }, message);
  };

  /** Asks once more if no runner answered: the one that was asked may have stopped. */
  const ask = async (
    credential: StoredCredential,
    refreshToken: string,
  ): Promise<{ readonly outcome: TokenOutcome; readonly wasInterrupted: boolean }> => {
    const request = {
      type: credential.type,
      dataJson: await openCredential(credential),
      grant: { kind: 'refresh', refreshToken } as const,
    };
    try {
      return { outcome: await requestTokens(request), wasInterrupted: false };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== 'unavailable') throw error;
      return { outcome: await requestTokens(request), wasInterrupted: true };
    }
  };

  return async function refreshOnce(credential, { refreshToken }) {
    if (refreshToken === undefined) return credential;
    const { id, name } = credential;
    const tokenHash = hashOf(refreshToken);
    const now = clock();
    const wasUnanswered = credential.oauth2?.lease?.tokenHash === tokenHash;
    const lease = { id: newId(), until: new Date(now.getTime() + LEASE_MS), tokenHash };
    const leased = inState(credential, { login: 'signedIn', message: '', lease });
    if (!(await credentials.replace(leased, credential.revision))) return undefined;
    let asked;
    try {
      asked = await ask(leased, refreshToken);
    } catch (error) {
      onRefresh('unanswered');
      await release(id, lease, false);
      throw error;
    }
    const { outcome, wasInterrupted } = asked;
    switch (outcome.kind) {
      case 'issued':
        // A service that issues no new refresh token lets the old one continue.
        return store(
          id,
          lease,
          { ...outcome.tokens, refreshToken: outcome.tokens.refreshToken ?? refreshToken },
          now.getTime(),
        );
      case 'unanswered':
        onRefresh('unanswered');
        await release(id, lease, false);
        throw new TokenRefreshFailed({ id, name }, outcome.message);
      case 'refused':
        if (outcome.code === 'invalid_grant')
          return lose(leased, lease, wasInterrupted || wasUnanswered ? LOST_RESPONSE : withdrawn(outcome.message));
        onRefresh('refused');
        // A lease that an unanswered request left stays: the service has still said nothing about the token.
        await release(id, lease, !wasInterrupted && !wasUnanswered);
        throw new TokenRefreshFailed({ id, name }, outcome.message);
    }
  };
};
