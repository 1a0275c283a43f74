import type { Json, JsonObject, OAuth2Client } from '@weft/node-catalogue';
import { isJsonObject, objectField, textField } from '@weft/node-catalogue';
import type { OutboundRequest, OutboundResponse } from '@weft/outbound';
import { parseJsonText } from '../response/parse-json-text';

const MAX_BYTES = 1024 * 1024;
/** Longer tokens are refused: the data of a credential is limited to 64 KiB. */
const MAX_TOKEN_LENGTH = 16_384;
const MAX_WORD_LENGTH = 500;

/** Settings of a request that the credential of a client decides. */
export type TokenClient = Pick<OAuth2Client, 'tokenUrl' | 'clientId' | 'clientSecret' | 'clientIn' | 'tokensAt'> & {
  readonly ignoresCertificates: boolean;
};

/** The settings in the data of a credential. */
export const tokenClientOf = (client: OAuth2Client, data: JsonObject): OAuth2Client & TokenClient => ({
  ...client,
  ignoresCertificates: data['ignoreSSLIssues'] === true,
});

/** Response of a token endpoint. */
export type TokenAnswer =
  | {
      readonly kind: 'issued';
      readonly accessToken: string;
      readonly refreshToken: string | undefined;
      readonly expiresInSeconds: number | undefined;
      /** Empty if the response names none. */
      readonly scope: string;
    }
  | {
      readonly kind: 'refused';
      /** The service's word, such as `invalid_grant`; empty if it gave none. */
      readonly code: string;
      /** A sentence; may contain what the service said, and so secrets. */
      readonly message: string;
    };

/** A request to the token endpoint, authenticated as the client. */
export function tokenRequest(
  client: TokenClient,
  form: URLSearchParams,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): OutboundRequest {
  const { tokenUrl, clientId, clientSecret, clientIn, ignoresCertificates } = client;
  // A client without a secret has nothing to prove (RFC 6749, 3.2.1).
  const isInHeader = clientIn === 'header' && clientSecret !== '';
  if (!isInHeader) {
    // The assertion of a service account names it.
    if (clientId !== '') form.set('client_id', clientId);
    if (clientSecret !== '') form.set('client_secret', clientSecret);
  }
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  return {
    method: 'POST',
    url: tokenUrl,
    body: Buffer.from(form.toString()),
    headers: [
      ['Content-Type', 'application/x-www-form-urlencoded'],
      ['Accept', 'application/json'],
      ...(isInHeader ? [['Authorization', `Basic ${basic}`] as const] : []),
    ],
    timeoutMs,
    maxResponseBytes: MAX_BYTES,
    followRedirects: false,
    allowUnauthorizedCerts: ignoresCertificates,
    ...(signal === undefined ? {} : { signal }),
  };
}

/**
 * Reads the response of a token endpoint. Lenient, because services are: a form in place of JSON, no `token_type`, and
 * errors with the status 200.
 */
export function readTokenAnswer({ status, body }: OutboundResponse, { tokensAt }: TokenClient): TokenAnswer {
  const answer = answerOf(body);
  const tokens = tokensAt === '' || !isJsonObject(answer) ? answer : (objectField(answer, tokensAt) ?? answer);
  const accessToken = textOfField(tokens, 'access_token');
  const refreshToken = textOfField(tokens, 'refresh_token');
  const isSuccess = status >= 200 && status <= 299;
  if (!isSuccess || accessToken === '') {
    const code = textOfField(answer, 'error');
    return { kind: 'refused', code, message: refusalText(status, code, textOfField(answer, 'error_description')) };
  }
  if (accessToken.length > MAX_TOKEN_LENGTH || refreshToken.length > MAX_TOKEN_LENGTH)
    return {
      kind: 'refused',
      code: '',
      message: `The token endpoint of the credential returned a token of more than ${MAX_TOKEN_LENGTH} characters.`,
    };
  const seconds = Number(isJsonObject(tokens) ? (tokens['expires_in'] ?? NaN) : NaN);
  return {
    kind: 'issued',
    accessToken,
    refreshToken: refreshToken === '' ? undefined : refreshToken,
    expiresInSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    scope: textOfField(tokens, 'scope').slice(0, MAX_WORD_LENGTH),
  };
}

/** Some servers respond with a form instead of JSON. */
function answerOf(body: Uint8Array): Json {
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

function refusalText(status: number, error: string, description: string): string {
  const said = [error, description]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, MAX_WORD_LENGTH);
  const what = status >= 200 && status <= 299 ? 'returned no access_token' : `refused the request (status ${status})`;
  return `The token endpoint of the credential ${what}${said === '' ? '' : `: ${said}`}.`;
}
