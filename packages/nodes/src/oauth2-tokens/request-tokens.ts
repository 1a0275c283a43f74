import { type JsonObject, oauth2ClientOf } from '@weft/node-catalogue';
import { SecretMask } from '@weft/engine';
import { OutboundError, type OutboundHttp, OutboundRefused } from '@weft/outbound';
import {
  readTokenAnswer,
  type TokenAnswer,
  tokenClientOf,
  tokenRequest,
} from '../shared/http/authentication/token-endpoint';
import { maskedLine } from '../shared/masked-line';

/** The grant of a token request. */
export type TokenGrant =
  | { readonly kind: 'code'; readonly code: string; readonly redirectUri: string; readonly verifier: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string };

/** A request for tokens of a credential. */
export interface TokenQuestion {
  readonly type: string;
  readonly data: JsonObject;
  readonly grant: TokenGrant;
}

/** Result of a request; messages are sentences without secrets. `unanswered`: the service may have acted on it. */
export type TokenResult = TokenAnswer | { readonly kind: 'unanswered'; readonly message: string };

/** Time limit of one request in milliseconds. */
export const TOKEN_MS = 10_000;

const MAX_MESSAGE = 500;

/**
 * Sends one request to the token endpoint of a credential.
 * @param ms time limit; for tests
 */
export async function requestTokens(
  http: OutboundHttp,
  { type, data, grant }: TokenQuestion,
  signal: AbortSignal,
  ms = TOKEN_MS,
): Promise<TokenResult> {
  const client = oauth2ClientOf(type, data);
  if (client === undefined || client.tokenUrl === '')
    return { kind: 'refused', code: '', message: 'The credential has no token endpoint (accessTokenUrl).' };
  const mask = maskOf(type, data, grant);
  const limit = AbortSignal.timeout(ms);
  const tokenClient = tokenClientOf(client, data);
  try {
    const request = tokenRequest(tokenClient, formOf(grant), {
      timeoutMs: ms,
      signal: AbortSignal.any([limit, signal]),
    });
    const response = await http.request(request);
    const answer = readTokenAnswer(response, tokenClient);
    if (answer.kind === 'issued') return answer;
    const message = maskedLine(mask, answer.message, MAX_MESSAGE);
    // A server error says nothing about the tokens, unless the service names it.
    return response.status >= 500 && answer.code === '' ? { kind: 'unanswered', message } : { ...answer, message };
  } catch (error) {
    if (limit.aborted)
      return {
        kind: 'unanswered',
        message: `The token endpoint of the credential did not answer within ${ms / 1_000} s.`,
      };
    if (!(error instanceof OutboundError)) throw error;
    const message = maskedLine(
      mask,
      `The token endpoint of the credential could not be reached: ${error.message}`,
      MAX_MESSAGE,
    );
    // The guard sent nothing.
    return error instanceof OutboundRefused ? { kind: 'refused', code: '', message } : { kind: 'unanswered', message };
  }
}

function formOf(grant: TokenGrant): URLSearchParams {
  if (grant.kind === 'refresh')
    return new URLSearchParams({ grant_type: 'refresh_token', refresh_token: grant.refreshToken });
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    ...(grant.verifier === '' ? {} : { code_verifier: grant.verifier }),
  });
}

function maskOf(type: string, data: JsonObject, grant: TokenGrant): SecretMask {
  const mask = new SecretMask();
  mask.learn(type, data);
  for (const secret of grant.kind === 'refresh' ? [grant.refreshToken] : [grant.code, grant.verifier])
    if (secret !== '') mask.add(secret);
  return mask;
}
