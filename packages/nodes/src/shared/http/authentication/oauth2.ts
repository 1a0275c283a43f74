import type { Json } from '@weft/node-catalogue';
import { isJsonObject, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import { parseJsonText } from '../response/parse-json-text';
import { type Exchange, type ExchangeRun, type Send, withSecretHeader } from './exchange';
import type { OAuth2Grant } from './oauth2-grant';
import { type AccessToken, TokenCache } from './token-cache';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
/** A token that expires within this time, in milliseconds, is no longer used. */
const EARLY_MS = 30_000;
/** Tokens of this process. They are lost on restart. */
const cache = new TokenCache(1_000);

/**
 * OAuth 2 (RFC 6749): sends requests with a bearer token. The token comes from the credential or is fetched with the
 * client's id and secret. If it has expired or the server responds with 401, another token is fetched once and the
 * request is sent again.
 */
export function oauth2Exchange(grant: OAuth2Grant, run: ExchangeRun, tokens: TokenCache = cache): Exchange {
  return async (request, send) => {
    const fetch = (old: AccessToken | undefined): Promise<AccessToken> => fetchToken(grant, old, request, send, run);
    const token = await unlessAborted(
      tokens.get(grant.key, run.now(), async (old) =>
        old === undefined && grant.stored !== undefined && !grant.isClientCredentials
          ? storedToken(grant.stored)
          : fetch(old),
      ),
      request.signal,
    );
    run.hide(token.value);
    const response = await send(withToken(request, token));
    if (response.status !== 401 || !canFetch(grant, token)) return response;
    const other = await unlessAborted(tokens.replace(grant.key, token, fetch), request.signal);
    run.hide(other.value);
    return send(withToken(request, other));
  };
}

function withToken(request: OutboundRequest, token: AccessToken): OutboundRequest {
  return withSecretHeader(request, 'Authorization', `Bearer ${token.value}`);
}

function storedToken({ accessToken, refreshToken }: NonNullable<OAuth2Grant['stored']>): AccessToken {
  return { value: accessToken, until: undefined, refreshToken };
}

function canFetch(grant: OAuth2Grant, token: AccessToken): boolean {
  return grant.tokenUrl !== '' && (grant.isClientCredentials || token.refreshToken !== undefined);
}

async function fetchToken(
  grant: OAuth2Grant,
  old: AccessToken | undefined,
  cause: OutboundRequest,
  send: Send,
  run: ExchangeRun,
): Promise<AccessToken> {
  const refreshToken = old?.refreshToken;
  if (!grant.isClientCredentials && refreshToken === undefined)
    throw new NodeFailure('The token of the credential has expired, and there is no refresh_token to get a new one.');
  const form = new URLSearchParams(
    refreshToken === undefined
      ? { grant_type: 'client_credentials', ...(grant.scope === '' ? {} : { scope: grant.scope }), ...grant.more }
      : { refresh_token: refreshToken, grant_type: 'refresh_token' },
  );
  const response = await send(tokenRequest(grant, form, cause));
  const answer = answerOf(response);
  const value = textOfField(answer, 'access_token');
  if (response.status < 200 || response.status > 299 || value === '')
    throw refusal(response.status, answer, value === '');
  const seconds = Number(isJsonObject(answer) ? (answer['expires_in'] ?? NaN) : NaN);
  const next = textOfField(answer, 'refresh_token');
  if (next !== '') run.hide(next);
  // The response omits the refresh token if it is unchanged.
  const kept = next === '' ? refreshToken : next;
  return {
    value,
    until: Number.isFinite(seconds) && seconds > 0 ? run.now() + seconds * 1_000 - EARLY_MS : undefined,
    refreshToken: kept,
  };
}

function tokenRequest(grant: OAuth2Grant, form: URLSearchParams, cause: OutboundRequest): OutboundRequest {
  const { clientId, clientSecret, clientIn } = grant;
  if (clientIn === 'body') {
    form.set('client_id', clientId);
    if (clientSecret !== '') form.set('client_secret', clientSecret);
  }
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  return {
    method: 'POST',
    url: grant.tokenUrl,
    body: Buffer.from(form.toString()),
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/json'],
      ...(clientIn === 'header' ? [['Authorization', `Basic ${basic}`] as const] : []),
    ],
    timeoutMs: Math.min(cause.timeoutMs, TIMEOUT_MS),
    maxResponseBytes: MAX_BYTES,
    followRedirects: false,
    allowUnauthorizedCerts: grant.ignoresCertificates,
  };
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

/** Some servers respond with a form instead of JSON. */
function answerOf({ body }: OutboundResponse): Json {
  const text = Buffer.from(body).toString();
  try {
    return parseJsonText(text);
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

function textOfField(answer: Json, name: string): string {
  return (isJsonObject(answer) ? textField(answer, name) : undefined) ?? '';
}

function refusal(status: number, answer: Json, isMissing: boolean): NodeFailure {
  const said = [textOfField(answer, 'error'), textOfField(answer, 'error_description')]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, 500);
  const what =
    status >= 200 && status <= 299 && isMissing ? 'returned no access_token' : `refused the request (status ${status})`;
  return new NodeFailure(`The token endpoint of the credential ${what}${said === '' ? '' : `: ${said}`}.`, {
    description:
      'Check the client id, the client secret, the scope and the URL of the token endpoint in the credential.',
  });
}
