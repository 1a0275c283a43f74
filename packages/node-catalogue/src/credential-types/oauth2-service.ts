import { isJsonObject, textField, type Json, type JsonObject } from '@weft/service-kit/json-values';

/** How a service issues OAuth 2 tokens. `{field}` in an address stands for a field of the credential. */
export interface OAuth2Service {
  readonly tokenUrl: string;
  /** Page on which a user signs in. Absent: credentials of the type are not signed in through a browser. */
  readonly authUrl?: string;
  /** Scopes for credentials that set none. */
  readonly scope?: string;
  /** Between two scopes. Default: a space. */
  readonly scopeSeparator?: string;
  /** Parameter of the sign-in page with the scopes. Default: `scope`. */
  readonly scopeParameter?: string;
  /** More parameters of the sign-in page. */
  readonly query?: Readonly<Record<string, string>>;
  /** False for a service that refuses PKCE. */
  readonly pkce?: false;
  /** Where client id and secret are sent, unless the credential says so. Default: `header`. */
  readonly clientIn?: 'header' | 'body';
  /** Object in the response of the token endpoint that holds the tokens. Default: the response itself. */
  readonly tokensAt?: string;
}

/** The OAuth 2 client of a credential, with the requirements of its service. */
export interface OAuth2Client {
  /** `login`: a user signs in through a browser. `clientCredentials`: id and secret suffice. */
  readonly grant: 'login' | 'clientCredentials';
  /** Empty if neither the credential nor its service names one. */
  readonly authUrl: string;
  /** Empty if neither names one. */
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** As the service expects them; empty for none. */
  readonly scope: string;
  readonly scopeParameter: string;
  /** More parameters of the sign-in page. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly usesPkce: boolean;
  readonly clientIn: 'header' | 'body';
  /** Empty: the response itself holds the tokens. */
  readonly tokensAt: string;
}

/** Tokens of a credential, stored as `oauthTokenData`. */
export interface OAuth2Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Unix milliseconds; undefined if the service did not say. */
  readonly expiresAt: number | undefined;
  /** Unix milliseconds; undefined for tokens of a login in another system. */
  readonly issuedAt: number | undefined;
}

/** Maximum time before the end of a token at which it is replaced, in milliseconds. */
const EARLY_MS = 60_000;

/**
 * Unix milliseconds until which a token is used: a minute before it expires, or half of a shorter life.
 * @param issuedAt undefined: unknown
 */
export const usableUntil = (expiresAt: number, issuedAt: number | undefined): number => {
  const life = issuedAt === undefined ? Number.POSITIVE_INFINITY : Math.max(0, expiresAt - issuedAt);
  return expiresAt - Math.min(EARLY_MS, life / 2);
};

const textOf = (data: JsonObject, name: string): string => (textField(data, name) ?? '').trim();

/** Fields fill parts of a host or path, and nothing that could end them. */
const filled = (address: string, data: JsonObject): string =>
  address.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = textOf(data, name);
    return /^[\w.-]*$/.test(value) ? value : '';
  });

const scopesOf = (given: string, separator: string): string =>
  separator === ' ' ? given : given.split(/[\s,]+/).join(separator);

/** The client of a credential of an OAuth 2 type. @param service the service of its type; undefined: of any service */
export const readOAuth2Client = (service: OAuth2Service | undefined, data: JsonObject): OAuth2Client => {
  const clientIn = textOf(data, 'authentication');
  const [ofService, ofUser] = [
    Object.entries(service?.query ?? {}),
    [...new URLSearchParams(textOf(data, 'authQueryParameters'))],
  ];
  return {
    grant: textOf(data, 'grantType') === 'clientCredentials' ? 'clientCredentials' : 'login',
    authUrl: textOf(data, 'authUrl') || filled(service?.authUrl ?? '', data),
    tokenUrl: textOf(data, 'accessTokenUrl') || filled(service?.tokenUrl ?? '', data),
    clientId: textOf(data, 'clientId'),
    clientSecret: textOf(data, 'clientSecret'),
    scope: scopesOf(textOf(data, 'scope') || (service?.scope ?? ''), service?.scopeSeparator ?? ' '),
    scopeParameter: service?.scopeParameter ?? 'scope',
    query: [...ofService, ...ofUser],
    usesPkce: service?.pkce !== false,
    clientIn: clientIn === 'header' || clientIn === 'body' ? clientIn : (service?.clientIn ?? 'header'),
    tokensAt: service?.tokensAt ?? '',
  };
};

/** An object, or its JSON text. */
const objectOf = (value: Json | undefined): JsonObject => {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
};

const msOf = (seconds: Json | undefined): number | undefined =>
  typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1_000 : undefined;

/** The tokens in the data of a credential; undefined if it has none. */
export const oauth2TokensOf = (data: JsonObject): OAuth2Tokens | undefined => {
  const stored = objectOf(data['oauthTokenData']);
  const accessToken = textOf(stored, 'access_token');
  if (accessToken === '') return undefined;
  const refreshToken = textOf(stored, 'refresh_token');
  return {
    accessToken,
    refreshToken: refreshToken === '' ? undefined : refreshToken,
    expiresAt: msOf(stored['expires_at']),
    issuedAt: msOf(stored['issued_at']),
  };
};

/** True for tokens that are to be replaced before they are used again. @param now Unix milliseconds */
export const isExpiring = ({ expiresAt, issuedAt }: OAuth2Tokens, now: number): boolean =>
  expiresAt !== undefined && usableUntil(expiresAt, issuedAt) <= now;
