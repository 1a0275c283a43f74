import { createPrivateKey } from 'node:crypto';
import type { CredentialFieldError } from '@weft/node-catalogue';
import type { JsonObject } from '@weft/service-kit/json';
import { STANDARD, standardKeyOf } from '../webhook-auth/standard-webhooks';
import { readJwtKey } from './jwt-key';

/** Checks fields together, or the meaning of a string. */
type Check = (data: JsonObject) => readonly CredentialFieldError[];

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** An oAuth2Api credential without a token is accepted: the token may be added later. */
const oauth2Errors: Check = (data) => {
  const required = data['grantType'] === 'clientCredentials' ? ['accessTokenUrl', 'clientId', 'clientSecret'] : [];
  return required
    .filter((name) => !isFilled(data[name]))
    .map((field) => ({
      field,
      message: 'must be a non-empty string in a credential of OAuth 2 with the grant type clientCredentials.',
    }));
};

const jwtErrors: Check = (data) => {
  const key = readJwtKey(data);
  return key.kind === 'error' ? [key] : [];
};

const isPrivateKey = (pem: string): boolean => {
  try {
    createPrivateKey(pem.replaceAll('\\n', '\n'));
    return true;
  } catch {
    return false;
  }
};

/** A crypto credential needs a secret for HMAC, a private key for signatures, or both. */
const cryptoErrors: Check = ({ hmacSecret, signPrivateKey }) => {
  if (!isFilled(signPrivateKey))
    return isFilled(hmacSecret)
      ? []
      : [{ field: 'hmacSecret', message: 'must be a non-empty string if signPrivateKey is empty.' }];
  return isPrivateKey(signPrivateKey)
    ? []
    : [{ field: 'signPrivateKey', message: 'must be a private key in PEM form without a passphrase.' }];
};

/** A valid HTTP header name (RFC 9110, 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Errors of a header that no request can carry, reported when the credential is stored instead of in a run. */
const headerErrors: Check = ({ name, value }) => [
  ...(isFilled(name) && !HEADER_NAME.test(name)
    ? [{ field: 'name', message: 'must be the name of an HTTP header: letters, digits and hyphens.' }]
    : []),
  ...(isFilled(value) && /[\r\n\0]/.test(value)
    ? [{ field: 'value', message: 'must not contain line breaks or null characters.' }]
    : []),
];

const KEY_EXPECTED = 'must be whsec_ and 24 to 64 bytes in Base64, for example from `openssl rand -base64 32`.';

/** Secrets of the scheme standard have a format; other schemes have no previous secret. */
const signatureErrors: Check = ({ scheme, secret, previousSecret }) => {
  if (scheme !== STANDARD)
    return isFilled(previousSecret)
      ? [{ field: 'previousSecret', message: `must be left out: only the scheme ${STANDARD} uses it.` }]
      : [];
  const isWrong = (value: unknown): boolean => isFilled(value) && standardKeyOf(value) === undefined;
  return [
    ...(isWrong(secret) ? [{ field: 'secret', message: KEY_EXPECTED }] : []),
    ...(isWrong(previousSecret) ? [{ field: 'previousSecret', message: KEY_EXPECTED }] : []),
  ];
};

/** n8n's credential may name another server; the token is only ever sent to Telegram's. */
const telegramErrors: Check = ({ baseUrl }) =>
  isFilled(baseUrl) && !/^https:\/\/api\.telegram\.org\/?$/.test(baseUrl)
    ? [{ field: 'baseUrl', message: 'must be https://api.telegram.org or left out: other servers are not supported.' }]
    : [];

/** By credential type. They run on data whose fields have the declared types. */
export const CREDENTIAL_CHECKS: ReadonlyMap<string, Check> = new Map([
  ['httpHeaderAuth', headerErrors],
  ['oAuth2Api', oauth2Errors],
  ['mcpOAuth2Api', oauth2Errors],
  ['jwtAuth', jwtErrors],
  ['crypto', cryptoErrors],
  ['telegramApi', telegramErrors],
  ['webhookSignature', signatureErrors],
]);
