import * as oidc from 'openid-client';
import { type CalledEndpoints, createGuardedFetch } from './guarded-fetch';
import type { OidcSettings } from './oidc-fields';

/** What a sign-in that has begun is recognised by when the person comes back. Each holds for one attempt. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: only who began the attempt can use the code. */
  readonly verifier: string;
}

/** A person whom the provider has identified. */
export interface ProvenPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Empty if the provider tells none. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
}

/** An OpenID Connect provider. */
export interface Provider {
  /** Begins an attempt. @returns the address at the provider to which the browser goes. @throws Error */
  readonly begin: (redirectUri: string) => Promise<{ readonly url: URL; readonly attempt: Attempt }>;
  /**
   * Ends an attempt: exchanges the code and checks the ID token.
   * @param returned the address at which the browser came back
   * @throws Error that says what the provider refused or what was wrong with its answer
   */
  readonly finish: (returned: URL, attempt: Attempt) => Promise<ProvenPerson>;
}

/** For each call, in seconds. */
const TIMEOUT_S = 10;
/** Difference of the two clocks, in seconds. */
const CLOCK_TOLERANCE_S = 30;
/** The metadata are read again after it, in milliseconds. */
const METADATA_MS = 3_600_000;
/** Of a person; more are ignored, as no provider sends them. */
const MAX_GROUPS = 1_000;

type Claims = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const groupsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .slice(0, MAX_GROUPS)
    .flatMap((group: unknown) => (typeof group === 'string' ? [group] : []));

/** The method that the provider names; if it names none, the one that every provider has to accept. */
const authenticationBy = (secret: string): oidc.ClientAuth => {
  if (secret === '') return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
};

/** Provider of the configuration. Its metadata are read when they are needed, so that it may be away at the start. */
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
        // Signatures are checked too, although the token comes from the provider itself.
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

  /** Claims of the ID token, and those that only the user information has. */
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
