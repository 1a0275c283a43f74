import { usableUntil } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { OutboundRequest } from '@weft/outbound';
import { type Exchange, type ExchangeRun, type Send, withSecretHeader } from './exchange';
import type { ClientCredentials } from './oauth2-grant';
import { type AccessToken, TokenCache } from './token-cache';
import { readTokenAnswer, type TokenClient, tokenRequest } from './token-endpoint';

const TIMEOUT_MS = 30_000;
/** Tokens of this process. They are lost on restart. */
const cache = new TokenCache(1_000);

/**
 * OAuth 2 with client credentials (RFC 6749, 4.4): sends requests with a bearer token that is fetched with the client's
 * id and secret. If it has expired or the server responds with 401, another token is fetched once and the request is
 * sent again.
 */
export function clientCredentialsExchange(
  grant: ClientCredentials,
  run: ExchangeRun,
  tokens: TokenCache = cache,
): Exchange {
  const form = (): URLSearchParams =>
    new URLSearchParams({
      grant_type: 'client_credentials',
      ...(grant.client.scope === '' ? {} : { scope: grant.client.scope }),
      ...grant.more,
    });
  const hint = 'Check the client id, the client secret, the scope and the URL of the token endpoint in the credential.';
  return fetchedTokenExchange({ ...grant, hint }, form, run, tokens);
}

/** A client that can fetch a token at any time. */
export interface FetchingClient {
  /** Its tokens are cached under this key. */
  readonly key: string;
  readonly client: TokenClient;
  /** What to check if the token endpoint refuses a request. */
  readonly hint: string;
}

/**
 * Sends requests with a bearer token that is fetched when it is first needed, and again once after a 401.
 * @param form of a token request
 */
export function fetchedTokenExchange(
  fetching: FetchingClient,
  form: () => URLSearchParams,
  run: ExchangeRun,
  tokens: TokenCache = cache,
): Exchange {
  const { key } = fetching;
  const fetch = async (request: OutboundRequest, send: Send): Promise<AccessToken> =>
    fetchToken(fetching, form(), request, send, run);
  return cachedTokenExchange({ key, fetch, apply: withToken }, run, tokens);
}

/** How a token is fetched and sent. */
export interface TokenUse {
  /** The token is cached under this key. */
  readonly key: string;
  /** Fetches a token for a request, through the client that sends it. */
  readonly fetch: (cause: OutboundRequest, send: Send) => Promise<AccessToken>;
  /** Adds a token to a request. */
  readonly apply: (request: OutboundRequest, token: string) => OutboundRequest;
}

/** Sends requests with a token that is fetched when it is first needed, and again once after a 401. */
export function cachedTokenExchange(
  { key, fetch, apply }: TokenUse,
  run: ExchangeRun,
  tokens: TokenCache = cache,
): Exchange {
  return async (request, send) => {
    const fetchNow = async (): Promise<AccessToken> => fetch(request, send);
    const token = await unlessAborted(tokens.get(key, run.now(), fetchNow), request.signal);
    run.hide(token.value);
    const response = await send(apply(request, token.value));
    if (response.status !== 401) return response;
    const other = await unlessAborted(tokens.replace(key, token, fetchNow), request.signal);
    run.hide(other.value);
    return send(apply(request, other.value));
  };
}

/** The request with a bearer token. */
export function withToken(request: OutboundRequest, token: string): OutboundRequest {
  return withSecretHeader(request, 'Authorization', `Bearer ${token}`);
}

async function fetchToken(
  { client, hint }: FetchingClient,
  form: URLSearchParams,
  cause: OutboundRequest,
  send: Send,
  run: ExchangeRun,
): Promise<AccessToken> {
  const response = await send(tokenRequest(client, form, { timeoutMs: Math.min(cause.timeoutMs, TIMEOUT_MS) }));
  const answer = readTokenAnswer(response, client);
  if (answer.kind === 'refused') throw new NodeFailure(answer.message, { description: hint });
  const { accessToken, expiresInSeconds } = answer;
  const now = run.now();
  const until = expiresInSeconds === undefined ? undefined : usableUntil(now + expiresInSeconds * 1_000, now);
  return { value: accessToken, until };
}

/** Several runs may wait for the same token: the end of one run does not abort the token request. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = (): void => reject(new NodeFailure('The run was stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop));
}
