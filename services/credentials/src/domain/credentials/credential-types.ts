import type { FieldFault } from '@weft/service-kit/errors';
import type { JsonObject } from '@weft/service-kit/json';
import { jwtKeyFaults } from './jwt-key-faults';

/** What a known credential type demands of its data. */
export interface CredentialTypeRule {
  /** Fields that must be texts that are not empty. */
  readonly texts?: readonly string[];
  /** Fields that must be whole numbers from 1 to 65535. */
  readonly ports?: readonly string[];
  /** Fields that must be JSON objects, or texts that hold one. */
  readonly objects?: readonly string[];
  /** What a list of fields cannot say. */
  readonly faults?: (data: JsonObject) => readonly FieldFault[];
}

/** Known types; the data of any other type is any JSON object. Values are n8n's field names. */
export const CREDENTIAL_TYPES: ReadonlyMap<string, CredentialTypeRule> = new Map<string, CredentialTypeRule>([
  ['httpHeaderAuth', { texts: ['name', 'value'] }],
  ['httpBasicAuth', { texts: ['user', 'password'] }],
  ['httpDigestAuth', { texts: ['user', 'password'] }],
  ['httpQueryAuth', { texts: ['name', 'value'] }],
  ['httpBearerAuth', { texts: ['token'] }],
  ['httpCustomAuth', { objects: ['json'] }],
  ['jwtAuth', { faults: jwtKeyFaults }],
  ['githubApi', { texts: ['accessToken'] }],
  ['slackApi', { texts: ['accessToken'] }],
  ['notionApi', { texts: ['apiKey'] }],
  ['airtableTokenApi', { texts: ['accessToken'] }],
  ['openAiApi', { texts: ['apiKey'] }],
  ['telegramApi', { texts: ['accessToken'] }],
  ['smtp', { texts: ['host'], ports: ['port'] }],
]);
