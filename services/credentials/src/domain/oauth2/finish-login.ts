import { oauth2ClientOf } from '@weft/node-catalogue';
import type { Principal } from '@weft/service-kit/auth';
import type { RecordAudit } from '../audit';
import { readData } from '../credentials/check-credential';
import type { OpenCredential } from '../credentials/open-credential';
import type { ReachedCredentials } from '../credentials/reach';
import { CredentialBusy, CredentialNotFound } from '../errors';
import { findCredential, type StoredCredential } from '../ownership/credential';
import { isSameSecret } from '../same-secret';
import type { Sealer } from '../sealing';
import { tokenHashOf } from '../token';
import { LoginAttemptInvalid, LoginRefused } from './errors';
import type { AttemptSealer, LoginAttempt } from './login-attempt';
import type { RequestTokens } from './request-tokens';
import { withTokens } from './stored-tokens';

/** The parameters with which a browser returns from a service. */
export interface ReturnedLogin {
  /** Value of the cookie. */
  readonly attempt: string;
  /** Token of the console's session in this browser. */
  readonly sessionToken: string;
  readonly state: string;
  /** Empty if the service sent none. */
  readonly code: string;
  /** Why the service refused the sign-in, in its word; empty otherwise. */
  readonly error: string;
}

/** Notes that an attempt is used. @returns false if it was used before */
export type UseAttempt = (id: string, expiresAt: Date) => Promise<boolean>;

export interface FinishLoginPorts {
  readonly credentials: Pick<ReachedCredentials, 'findById' | 'replace'>;
  readonly sealer: Pick<Sealer, 'open' | 'seal' | 'signGrant'>;
  readonly openCredential: OpenCredential;
  readonly attempts: Pick<AttemptSealer, 'open'>;
  readonly useAttempt: UseAttempt;
  readonly requestTokens: RequestTokens;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/**
 * Completes a sign-in: exchanges the code for tokens and stores them.
 * @throws LoginAttemptInvalid for an attempt that has expired, was completed, or belongs to another browser or session;
 * LoginRefused, CredentialNotFound, CredentialBusy, CredentialUnreadable, Unavailable, TimedOut
 */
export type FinishLogin = (returned: ReturnedLogin) => Promise<StoredCredential>;

const MAX_TRIES = 5;

/** A service's word for an error, as far as it can be shown. */
const wordOf = (error: string): string => (/^[\w.:-]{1,100}$/.test(error) ? error : 'an unknown error');

const refusalOf = (error: string): LoginRefused =>
  new LoginRefused(
    error === 'access_denied'
      ? 'The sign-in was declined at the service (access_denied).'
      : `The service did not complete the sign-in: ${wordOf(error)}.`,
  );

/** Creates the use case. */
export const createFinishLogin = (ports: FinishLoginPorts, { userId }: Principal): FinishLogin => {
  const { credentials, sealer, openCredential, attempts, useAttempt, requestTokens, recordAudit, clock } = ports;

  /** @throws LoginAttemptInvalid */
  const attemptOf = async ({ attempt: cookie, sessionToken, state }: ReturnedLogin): Promise<LoginAttempt> => {
    const attempt = attempts.open(cookie);
    const isValid =
      attempt !== undefined &&
      attempt.expiresAt > clock().getTime() &&
      attempt.userId === userId &&
      isSameSecret(attempt.state, state) &&
      isSameSecret(attempt.sessionHash, tokenHashOf(sessionToken) ?? '');
    if (!isValid || !(await useAttempt(attempt.id, new Date(attempt.expiresAt)))) throw new LoginAttemptInvalid();
    return attempt;
  };

  return async function finishLogin(returned) {
    const { credentialId, verifier, redirectUri } = await attemptOf(returned);
    if (returned.code === '') throw refusalOf(returned.error);
    const found = await findCredential(credentials, credentialId);
    const dataJson = await openCredential(found);
    const usesPkce = oauth2ClientOf(found.type, readData(dataJson))?.usesPkce === true;
    const issuedAt = clock().getTime();
    const outcome = await requestTokens({
      type: found.type,
      dataJson,
      grant: { kind: 'code', code: returned.code, redirectUri, verifier: usesPkce ? verifier : '' },
    });
    if (outcome.kind !== 'issued') throw new LoginRefused(outcome.message);
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      const old = await credentials.findById(credentialId);
      if (old === undefined) throw new CredentialNotFound(credentialId);
      const changed = { ...withTokens(sealer, old, outcome.tokens, issuedAt), updatedAt: clock() };
      if (!(await credentials.replace(changed, old.revision))) continue;
      await recordAudit({ action: 'credential.sign-in', actor: userId, about: { credentialId, type: found.type } });
      return changed;
    }
    throw new CredentialBusy(credentialId);
  };
};
