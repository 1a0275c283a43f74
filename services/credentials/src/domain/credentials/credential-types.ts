import { createPrivateKey } from 'node:crypto';
import type { FieldError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import { signatureErrors } from '../webhook-auth/check-signature';
import { readJwtKey } from '../webhook-auth/jwt-key';

/** Rules of a known credential type for its data. */
export interface CredentialTypeRule {
  /** Fields that must be non-empty strings. */
  readonly strings?: readonly string[];
  /** Fields that must be integers from 1 to 65535. */
  readonly ports?: readonly string[];
  /** Fields that must be JSON objects, or strings that contain one. */
  readonly objects?: readonly string[];
  /** Checks of several fields together. */
  readonly check?: (data: JsonObject) => readonly FieldError[];
}

/** Types with a single string, by the name of its field. */
const SINGLE: Readonly<Record<string, readonly string[]>> = {
  accessToken: ['airtableTokenApi', 'asanaApi', 'clickUpApi', 'githubApi', 'gitlabApi', 'slackApi', 'telegramApi'],
  apiKey: [
    'anthropicApi',
    'apifyApi',
    'cohereApi',
    'deepSeekApi',
    'elevenLabsApi',
    'googlePalmApi',
    'groqApi',
    'huggingFaceApi',
    'linearApi',
    'mistralCloudApi',
    'n8nApi',
    'notionApi',
    'openAiApi',
    'openRouterApi',
    'pineconeApi',
    'qdrantApi',
    'sendGridApi',
    'serpApi',
    'todoistApi',
    'xAiApi',
  ],
  apiToken: ['cloudflareApi', 'mondayComApi', 'pipedriveApi'],
  appToken: ['hubspotAppToken'],
  botToken: ['discordBotApi'],
  secret: ['totpApi'],
  secretKey: ['stripeApi'],
  serviceRole: ['supabaseApi'],
};

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** An oAuth2Api credential without a token is accepted: the token may follow. */
const oauth2Errors = (data: JsonObject): FieldError[] => {
  const required = data['grantType'] === 'clientCredentials' ? ['accessTokenUrl', 'clientId', 'clientSecret'] : [];
  return required
    .filter((name) => !isFilled(data[name]))
    .map((name) => ({
      field: `data.${name}`,
      message: 'must be a non-empty string in an oAuth2Api credential with the grant type clientCredentials.',
    }));
};

const jwtErrors = (data: JsonObject): FieldError[] => {
  const key = readJwtKey(data);
  return key.kind === 'error' ? [{ field: `data.${key.field}`, message: key.message }] : [];
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
const cryptoErrors = ({ hmacSecret, signPrivateKey }: JsonObject): FieldError[] => {
  if (!isFilled(signPrivateKey))
    return isFilled(hmacSecret)
      ? []
      : [{ field: 'data.hmacSecret', message: 'must be a non-empty string if signPrivateKey is empty.' }];
  return isPrivateKey(signPrivateKey)
    ? []
    : [{ field: 'data.signPrivateKey', message: 'must be a private key in PEM form without a passphrase.' }];
};

/** A name that can be that of an HTTP header (RFC 9110, 5.1). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

/** Errors of a header that no request can carry: known when the credential is stored, not in a run. */
const headerErrors = ({ name, value }: JsonObject): FieldError[] => [
  ...(isFilled(name) && !HEADER_NAME.test(name)
    ? [{ field: 'data.name', message: 'must be the name of an HTTP header: letters, digits and hyphens.' }]
    : []),
  ...(isFilled(value) && /[\r\n\0]/.test(value)
    ? [{ field: 'data.value', message: 'must not contain line breaks or null characters.' }]
    : []),
];

/** Known types; the data of any other type is any JSON object. Field names are n8n's. */
export const CREDENTIAL_TYPES: ReadonlyMap<string, CredentialTypeRule> = new Map<string, CredentialTypeRule>([
  ...Object.entries(SINGLE).flatMap(([field, types]) =>
    types.map((type): [string, CredentialTypeRule] => [type, { strings: [field] }]),
  ),
  ['httpHeaderAuth', { strings: ['name', 'value'], check: headerErrors }],
  ['httpBasicAuth', { strings: ['user', 'password'] }],
  ['httpDigestAuth', { strings: ['user', 'password'] }],
  ['httpQueryAuth', { strings: ['name', 'value'] }],
  ['httpBearerAuth', { strings: ['token'] }],
  ['httpCustomAuth', { objects: ['json'] }],
  ['oAuth1Api', { strings: ['consumerKey', 'consumerSecret'] }],
  ['oAuth2Api', { check: oauth2Errors }],
  ['jwtAuth', { check: jwtErrors }],
  ['webhookSignature', { strings: ['secret'], check: signatureErrors }],
  ['crypto', { check: cryptoErrors }],
  ['smtp', { strings: ['host'], ports: ['port'] }],
  ['jiraSoftwareCloudApi', { strings: ['email', 'apiToken'] }],
  ['trelloApi', { strings: ['apiKey', 'apiToken'] }],
  ['wordpressApi', { strings: ['username', 'password'] }],
]);
