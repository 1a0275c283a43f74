import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { JsonObject, RequestRule } from '@weft/node-catalogue';
import { textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { Exchange, ExchangeRun } from './exchange';
import { fetchedTokenExchange } from './oauth2';
import { keyOf } from './oauth2-grant';
import type { TokenCache } from './token-cache';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** Time for which an assertion can be exchanged, in seconds. */
const ASSERTION_S = 3_600;
/** Longer keys would keep the thread for seconds. */
const KEY_BITS = { min: 2_048, max: 4_096 };
const BEGIN = /-----BEGIN ((?:RSA )?PRIVATE KEY)-----/;

/** An account that gets tokens for JWTs that it signs. */
export interface ServiceAccount {
  readonly type: string;
  /** Derived from the credential's data and the scopes: a token is valid for its scopes only. */
  readonly key: string;
  readonly email: string;
  /** Email of the user for whom the account acts; undefined for itself. */
  readonly user: string | undefined;
  /** PEM, perhaps with `\n` in place of line ends, as in JSON. */
  readonly privateKey: string;
  readonly scopes: readonly string[];
  readonly tokenUrl: string;
}

/**
 * Reads the credential of a service account.
 * @param appScopes scopes that an app needs; undefined for requests that a user writes: those of the credential count
 * @throws NodeFailure if a field is missing
 */
export function serviceAccountOf(
  type: string,
  { tokenUrl }: NonNullable<RequestRule['serviceAccount']>,
  data: JsonObject,
  appScopes: readonly string[] | undefined,
): ServiceAccount {
  const field = (name: string): string => (textField(data, name) ?? '').trim();
  const scopes = appScopes ?? ownScopes(type, data);
  const user = data['inpersonate'] === true ? field('delegatedEmail') : undefined;
  if (user === '')
    throw new NodeFailure(`The credential of type ${type} has no "delegatedEmail".`, {
      description: 'Enter the email of the user for whom the account acts, or turn off "inpersonate".',
    });
  return {
    type,
    key: keyOf({ type, scopes: [...scopes], data }),
    email: field('email'),
    user,
    privateKey: field('privateKey'),
    scopes,
    tokenUrl: field('accessTokenUrl') || tokenUrl,
  };
}

/** The scopes of requests that a user writes. */
function ownScopes(type: string, data: JsonObject): readonly string[] {
  const scopes = (textField(data, 'scopes') ?? '').split(/(?:[\s,]|\\n)+/).filter((scope) => scope !== '');
  if (data['httpNode'] === true && scopes.length > 0) return scopes;
  throw new NodeFailure(`The credential of type ${type} is not set up for HTTP requests.`, {
    description: 'Turn on "httpNode" and enter the "scopes" of the API in the credential.',
  });
}

/**
 * A service account (RFC 7523): sends requests with a bearer token, which is fetched with a JWT that the account's
 * private key signs. Tokens are cached and replaced like those of client credentials. The key is sent nowhere.
 */
export function serviceAccountExchange(account: ServiceAccount, run: ExchangeRun, tokens?: TokenCache): Exchange {
  const form = (): URLSearchParams => new URLSearchParams({ grant_type: GRANT, assertion: assertionOf(account, run) });
  return fetchedTokenExchange(
    {
      key: account.key,
      client: {
        tokenUrl: account.tokenUrl,
        clientId: '',
        clientSecret: '',
        clientIn: 'body',
        tokensAt: '',
        ignoresCertificates: false,
      },
      hint:
        'Check the email and the private key of the credential, and the scopes. If it acts for a user, the ' +
        'administrator of the domain must have given the account these scopes.',
    },
    form,
    run,
    tokens,
  );
}

/** A signed JWT (RS256). */
function assertionOf(account: ServiceAccount, run: ExchangeRun): string {
  const { email, user, scopes, tokenUrl } = account;
  const iat = Math.floor(run.now() / 1_000);
  const claims = {
    iss: email,
    ...(user === undefined ? {} : { sub: user }),
    scope: scopes.join(' '),
    aud: tokenUrl,
    iat,
    exp: iat + ASSERTION_S,
  };
  const signed = `${partOf({ alg: 'RS256', typ: 'JWT' })}.${partOf(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), keyIn(account)).toString('base64url');
  // Errors of token endpoints may repeat the assertion, which is worth nothing without its signature.
  run.hide(signature);
  return `${signed}.${signature}`;
}

const partOf = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** @throws NodeFailure without any part of the text */
function keyIn({ type, privateKey }: ServiceAccount): KeyObject {
  const key = parsedKey(privateKey);
  const bits = key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  if (key !== undefined && bits >= KEY_BITS.min && bits <= KEY_BITS.max) return key;
  const what =
    key === undefined ? 'a private key in PEM form' : `an RSA key of ${KEY_BITS.min} to ${KEY_BITS.max} bits`;
  throw new NodeFailure(`The "privateKey" of the credential of type ${type} is not ${what}.`, {
    description:
      'Enter the value of "private_key" in the JSON file of the service account, from -----BEGIN PRIVATE KEY----- ' +
      'to -----END PRIVATE KEY-----.',
  });
}

/** The key in a PEM, whose line ends may be missing or written as `\n`, as in the JSON file of an account. */
function parsedKey(given: string): KeyObject | undefined {
  const text = given.replaceAll('\\n', '\n');
  const begin = BEGIN.exec(text);
  const label = begin?.[1];
  if (begin === null || label === undefined) return undefined;
  const start = begin.index + begin[0].length;
  const end = text.indexOf(`-----END ${label}-----`, start);
  if (end < 0) return undefined;
  const key = Buffer.from(text.slice(start, end), 'base64');
  try {
    return createPrivateKey({ key, format: 'der', type: label === 'PRIVATE KEY' ? 'pkcs8' : 'pkcs1' });
  } catch {
    return undefined;
  }
}
