import { createHmac, randomBytes } from 'node:crypto';
import type { JsonObject } from '@weft/node-catalogue';
import { objectField, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { OutboundRequest } from '@weft/outbound';
import { type Exchange, type ExchangeRun, withSecretHeader } from './exchange';

const HASHES: Readonly<Record<string, string>> = {
  'HMAC-SHA1': 'sha1',
  'HMAC-SHA256': 'sha256',
  'HMAC-SHA512': 'sha512',
};

/** Secrets that sign requests. */
export interface OAuth1Keys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string | undefined;
  readonly tokenSecret: string;
  readonly method: string;
}

/**
 * Reads a credential of type oAuth1Api: consumer key and secret, and the token under `oauthTokenData`.
 * @throws NodeFailure without a consumer key and for an unknown signature method
 */
export function oauth1Keys(data: JsonObject): OAuth1Keys {
  const tokens = objectField(data, 'oauthTokenData') ?? {};
  const consumerKey = textField(data, 'consumerKey') ?? '';
  const method = textField(data, 'signatureMethod') ?? 'HMAC-SHA1';
  if (consumerKey === '') throw new NodeFailure('The credential of type oAuth1Api has no "consumerKey".');
  if (!Object.hasOwn(HASHES, method))
    throw new NodeFailure(
      `The signature method "${method.slice(0, 40)}" of the credential is not supported. Supported: ` +
        `${Object.keys(HASHES).join(', ')}.`,
    );
  return {
    consumerKey,
    consumerSecret: textField(data, 'consumerSecret') ?? '',
    token: textField(tokens, 'oauth_token'),
    tokenSecret: textField(tokens, 'oauth_token_secret') ?? '',
    method,
  };
}

/** OAuth 1.0a (RFC 5849): signs each request with a header. */
export function oauth1Exchange(
  keys: OAuth1Keys,
  run: Pick<ExchangeRun, 'now'>,
  nonceOf: () => string = () => randomBytes(16).toString('hex'),
): Exchange {
  return (request, send) =>
    send(
      withSecretHeader(request, 'Authorization', oauth1Header(keys, request, nonceOf(), Math.floor(run.now() / 1_000))),
    );
}

export function oauth1Header(
  keys: OAuth1Keys,
  request: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>,
  nonce: string,
  timestamp: number,
): string {
  const own: [string, string][] = [
    ['oauth_consumer_key', keys.consumerKey],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', keys.method],
    ['oauth_timestamp', String(timestamp)],
    ...(keys.token === undefined || keys.token === '' ? [] : [['oauth_token', keys.token] as [string, string]]),
    ['oauth_version', '1.0'],
  ];
  const url = new URL(request.url);
  const signed = [...own, ...url.searchParams, ...formFields(request)]
    .map(([name, value]) => [encoded(name), encoded(value)] as const)
    .sort(byNameAndValue);
  const base = [
    request.method.toUpperCase(),
    encoded(url.origin + url.pathname),
    encoded(signed.map(([name, value]) => `${name}=${value}`).join('&')),
  ].join('&');
  const key = `${encoded(keys.consumerSecret)}&${encoded(keys.tokenSecret)}`;
  const signature = createHmac(HASHES[keys.method] ?? 'sha1', key)
    .update(base)
    .digest('base64');
  const parameters = [...own, ['oauth_signature', signature] as const];
  return `OAuth ${parameters.map(([name, value]) => `${name}="${encoded(value)}"`).join(', ')}`;
}

/** Only a form is signed with the request. */
function formFields({ headers, body }: Pick<OutboundRequest, 'headers' | 'body'>): Iterable<[string, string]> {
  const type = (headers ?? []).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return body instanceof Uint8Array && /^application\/x-www-form-urlencoded/i.test(type)
    ? new URLSearchParams(Buffer.from(body).toString())
    : [];
}

function byNameAndValue(a: readonly [string, string], b: readonly [string, string]): number {
  const [first, second] = a[0] === b[0] ? [a[1], b[1]] : [a[0], b[0]];
  return first < second ? -1 : Number(first > second);
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
