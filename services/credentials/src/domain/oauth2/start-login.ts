import { oauth2ClientOf, type OAuth2Client } from '@weft/node-catalogue';
import type { Principal } from '@weft/service-kit/auth';
import { type CountRequests, demandRequest } from '../api-keys/rate-window';
import { readData } from '../credentials/check-credential';
import type { OpenCredential } from '../credentials/open-credential';
import type { ReachedCredentials } from '../credentials/reach';
import { findCredential } from '../ownership/credential';
import { hashOf, randomText, tokenHashOf } from '../token';
import { LoginNotPossible, SessionRequired } from './errors';
import type { AttemptSealer } from './login-attempt';

/** The browser that begins a sign-in. */
export interface LoginBrowser {
  /** Token of the console's session in it; empty if the caller has none. */
  readonly sessionToken: string;
  /** Address to which the service sends it back. */
  readonly redirectUri: string;
}

/** A sign-in that has begun. */
export interface StartedLogin {
  /** Page of the service to which the browser goes. */
  readonly url: string;
  /** For a cookie of this browser: the sealed attempt. */
  readonly attempt: string;
}

export interface StartLoginPorts {
  readonly credentials: Pick<ReachedCredentials, 'findById'>;
  readonly openCredential: OpenCredential;
  readonly attempts: Pick<AttemptSealer, 'seal'>;
  readonly countTests: CountRequests;
  readonly clock: () => Date;
}

/**
 * Begins to sign in at the service of a credential, for a user within whose reach it is.
 * @throws CredentialNotFound, SessionRequired, LoginNotPossible, RateLimitExceeded, CredentialUnreadable,
 * CredentialFileUnusable
 */
export type StartLogin = (credentialId: string, browser: LoginBrowser) => Promise<StartedLogin>;

/** Time to sign in at the service, in milliseconds. */
export const ATTEMPT_MS = 600_000;

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** @throws LoginNotPossible */
const checkedClient = (credentialId: string, type: string, client: OAuth2Client | undefined): OAuth2Client => {
  const refuse = (message: string): never => {
    throw new LoginNotPossible(credentialId, message);
  };
  if (client === undefined) return refuse(`Credentials of type ${type} do not sign in through a browser.`);
  if (client.grant !== 'login')
    return refuse(
      'A credential with the grant type clientCredentials needs no sign-in: its client ID and secret suffice.',
    );
  if (!isWeb(client.authUrl)) return refuse('The credential has no http or https address to sign in at (authUrl).');
  if (!isWeb(client.tokenUrl))
    return refuse('The credential has no http or https address of a token endpoint (accessTokenUrl).');
  if (client.clientId === '')
    return refuse('The credential has no client ID: register Weft at the service, and enter the ID that it gives.');
  return client;
};

/** The page of the service. Parameters of the protocol win over those that a credential adds. */
const pageOf = (client: OAuth2Client, state: string, verifier: string, redirectUri: string): string => {
  const url = new URL(client.authUrl);
  for (const [name, value] of client.query) url.searchParams.set(name, value);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    ...(client.scope === '' ? {} : { [client.scopeParameter]: client.scope }),
    state,
    ...(client.usesPkce ? { code_challenge: hashOf(verifier), code_challenge_method: 'S256' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
};

/** Creates the use case. */
export const createStartLogin = (
  { credentials, openCredential, attempts, countTests, clock }: StartLoginPorts,
  { userId }: Principal,
): StartLogin =>
  async function startLogin(credentialId, { sessionToken, redirectUri }) {
    const credential = await findCredential(credentials, credentialId);
    const sessionHash = tokenHashOf(sessionToken);
    if (sessionHash === undefined) throw new SessionRequired();
    await demandRequest(countTests, `login:${userId}`, clock);
    const data = readData(await openCredential(credential));
    const client = checkedClient(credentialId, credential.type, oauth2ClientOf(credential.type, data));
    const [id, state, verifier] = [randomText(), randomText(), randomText()];
    const attempt = {
      id,
      state,
      verifier,
      credentialId,
      userId,
      sessionHash,
      redirectUri,
      expiresAt: clock().getTime() + ATTEMPT_MS,
    };
    return { url: pageOf(client, state, verifier, redirectUri), attempt: attempts.seal(attempt) };
  };
