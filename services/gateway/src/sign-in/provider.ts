import * as oidc from 'openid-client';
import { type CalledEndpoints, createGuardedFetch } from './guarded-fetch';
import type { OidcSettings } from './oidc-fields';

/** Secrets that identify a sign-in attempt when the person returns. Each is valid for one attempt. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** PKCE verifier: only the browser that began the attempt can use the code. */
  readonly verifier: string;
}

/** A person whom the provider has identified. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Empty if the provider does not report one. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
}

/** An OpenID Connect provider. */
export interface Provider {
  /** Begins an attempt. @returns the provider's address to which the browser is redirected @throws Error */
  readonly begin: (redirectUri: string) => Promise<{ readonly url: URL; readonly attempt: Attempt }>;
  /**
   * Completes an attempt: exchanges the code and checks the ID token.
   * @param returned the address to which the browser was redirected back
   * @throws Error that says what the provider refused or what was wrong with its response
   */
  readonly finish: (returned: URL, attempt: Attempt) => Promise<ProvenPerson>;
}

/** Timeout of each call, in seconds. */
const TIMEOUT_S = 10;
/** Maximum clock difference, in seconds. */
const CLOCK_TOLERANCE_S = 30;
/** Milliseconds after which the metadata is read again. */
const METADATA_MS = 3_600_000;
/** Maximum groups of a person; more are ignored, because no provider sends that many. */
const MAX_GROUPS = 1_000;

type Claims = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const groupsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .slice(0, MAX_GROUPS)
    .flatMap((group: unknown) => (typeof group === 'string' ? [group] : []));

/** The authentication method named by the provider; if there is none, the one that every provider has to accept. */
const authenticationBy = (secret: string): oidc.ClientAuth => {
  if (secret === '') return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
};

/** The configured provider. Its metadata is read on demand, so that it may be unavailable at the start. */
export const createProvider = (settings: OidcSettings): Provider => {
  const issuer = new URL(settings.oidcIssuer);
  let endpoints: CalledEndpoints | undefined;
  const guardedFetch = createGuardedFetch(issuer, () => endpoints);
  let known:
    { readonly secret: string; readonly until: number; readonly metadata: Promise<oidc.Configuration> } | undefined;

  const discover = async (secret: string): Promise<oidc.Configuration> => {
    const found = await oidc.discovery(
      issuer,
      settings.oidcClientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
      authenticationBy(secret),
      {
        [oidc.customFetch]: guardedFetch,
        timeout: TIMEOUT_S,
        // Signatures are checked too, although the token comes directly from the provider.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    endpoints = found.serverMetadata();
    return found;
  };

  const configuration = (): Promise<oidc.Configuration> => {
    const [now, secret] = [performance.now(), settings.oidcClientSecret];
    if (known !== undefined && known.secret === secret && now < known.until) return known.metadata;
    const metadata = discover(secret);
    const entry = { secret, until: now + METADATA_MS, metadata };
    known = entry;
    metadata.catch(() => {
      if (known === entry) known = undefined;
    });
    return metadata;
  };

  /** Claims of the ID token, and further ones from the user information. */
  const allClaims = async (config: oidc.Configuration, idToken: oidc.IDToken, accessToken: string): Promise<Claims> => {
    const isComplete = [settings.oidcGroupsClaim, 'email', 'email_verified'].every((name) => name in idToken);
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return idToken;
    return { ...(await oidc.fetchUserInfo(config, accessToken, idToken.sub)), ...idToken };
  };

  return {
    begin: async (redirectUri) => {
      const config = await configuration();
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: settings.oidcScopes,
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url, attempt };
    },
    finish: async (returned, { state, nonce, verifier }) => {
      const config = await configuration();
      const tokens = await oidc.authorizationCodeGrant(config, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (idToken === undefined) throw new Error('The provider sent no ID token.');
      const claims = await allClaims(config, idToken, tokens.access_token);
      return {
        issuer: idToken.iss,
        subject: idToken.sub,
        email: textOf(claims['email']),
        emailVerified: claims['email_verified'] === true,
        name: textOf(claims['name']),
        groups: groupsOf(claims[settings.oidcGroupsClaim]),
      };
    },
  };
};
