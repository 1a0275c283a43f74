import { field, type Json, type JsonObject, type SessionRule, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { OutboundRequest } from '@weft/outbound';
import { parseJsonText } from '../response/parse-json-text';
import { type Exchange, type ExchangeRun, type Send, withSecretHeader } from './exchange';
import { cachedTokenExchange } from './oauth2';
import { keyOf } from './oauth2-grant';
import type { AccessToken, TokenCache } from './token-cache';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
/** As long as services keep a token of a session at least. A token that ends earlier is replaced after a 401. */
const KEPT_MS = 5 * 60_000;

/**
 * A user name and a password that the service exchanges for a token: sends requests with that token. Tokens are cached
 * and replaced like those of client credentials.
 */
export function sessionExchange(
  type: string,
  rule: SessionRule,
  data: JsonObject,
  run: ExchangeRun,
  tokens?: TokenCache,
): Exchange {
  // The URL of the service may end in a slash.
  const url = filled(rule.url, data).replaceAll(/([^:/])\/{2,}/g, '$1/');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new NodeFailure(`The credential of type ${type} has no URL, such as https://example.com`);
  const body = Buffer.from(
    JSON.stringify(Object.fromEntries(Object.entries(rule.body).map(([name, value]) => [name, filled(value, data)]))),
  );
  const fetch = async ({ timeoutMs }: OutboundRequest, send: Send): Promise<AccessToken> => {
    const response = await send({
      method: 'POST',
      url,
      body,
      headers: [
        ['Content-Type', 'application/json'],
        ['Accept', 'application/json'],
      ],
      timeoutMs: Math.min(timeoutMs, TIMEOUT_MS),
      maxResponseBytes: MAX_BYTES,
      followRedirects: false,
      allowUnauthorizedCerts: false,
    });
    const token = tokenIn(response.body, rule.tokenField);
    if (response.status > 299 || token === undefined)
      throw new NodeFailure(
        `The service gave no token for the credential of type ${type} (status ${response.status}).`,
        {
          description: 'Check the URL, the user name and the password of the credential.',
        },
      );
    return { value: token, until: run.now() + KEPT_MS };
  };
  const apply = (request: OutboundRequest, token: string): OutboundRequest =>
    withSecretHeader(request, 'Authorization', `${rule.scheme} ${token}`);
  return cachedTokenExchange({ key: keyOf({ type, data }), fetch, apply }, run, tokens);
}

/** A template with `{field}` for a field of the data. */
const filled = (template: string, data: JsonObject): string =>
  template.replaceAll(/\{(\w+)\}/g, (_all, name: string) => textField(data, name) ?? '');

function tokenIn(body: Uint8Array, name: string): string | undefined {
  let answer: Json;
  try {
    answer = parseJsonText(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
  const token = field(answer, name);
  return typeof token === 'string' && token !== '' && token.length <= 16_384 ? token : undefined;
}
