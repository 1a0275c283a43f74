import type { FieldError } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import { cryptoErrors } from './crypto-errors';
import { jwtKeyErrors } from './jwt-key-errors';
import { oauth2Errors } from './oauth2-errors';

/** What a known credential type demands of its data. */
export interface CredentialTypeRule {
  /** Fields that must be texts that are not empty. */
  readonly texts?: readonly string[];
  /** Fields that must be whole numbers from 1 to 65535. */
  readonly ports?: readonly string[];
  /** Fields that must be JSON objects, or texts that hold one. */
  readonly objects?: readonly string[];
  /** What a list of fields cannot say. */
  readonly faults?: (data: JsonObject) => readonly FieldError[];
}

/** Types that hold one text, by the name of its field. */
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
  secretKey: ['stripeApi'],
  serviceRole: ['supabaseApi'],
};

/** Known types; the data of any other type is any JSON object. Values are n8n's field names. */
export const CREDENTIAL_TYPES: ReadonlyMap<string, CredentialTypeRule> = new Map<string, CredentialTypeRule>([
  ...Object.entries(SINGLE).flatMap(([field, types]) =>
    types.map((type): [string, CredentialTypeRule] => [type, { texts: [field] }]),
  ),
  ['httpHeaderAuth', { texts: ['name', 'value'] }],
  ['httpBasicAuth', { texts: ['user', 'password'] }],
  ['httpDigestAuth', { texts: ['user', 'password'] }],
  ['httpQueryAuth', { texts: ['name', 'value'] }],
  ['httpBearerAuth', { texts: ['token'] }],
  ['httpCustomAuth', { objects: ['json'] }],
  ['oAuth1Api', { texts: ['consumerKey', 'consumerSecret'] }],
  ['oAuth2Api', { faults: oauth2Errors }],
  ['jwtAuth', { faults: jwtKeyErrors }],
  ['crypto', { faults: cryptoErrors }],
  ['smtp', { texts: ['host'], ports: ['port'] }],
  ['jiraSoftwareCloudApi', { texts: ['email', 'apiToken'] }],
  ['trelloApi', { texts: ['apiKey', 'apiToken'] }],
  ['wordpressApi', { texts: ['username', 'password'] }],
]);
