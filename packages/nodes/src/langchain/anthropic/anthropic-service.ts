import type { JsonObject } from '@weft/node-catalogue';
import type { ModelChoice } from '../vendor/call-model';
import type { Roles } from '../vendor/read-prompts';
import type { Service } from '../vendor/service';

const CREDENTIAL = 'anthropicApi';
/** Functions of the API that a request must name. */
const FILES = 'files-api-2025-04-14';

/** The header that names functions of the API. @param more next to that for files */
export const withFeatures = (...more: readonly string[]): readonly (readonly [string, string])[] => [
  ['anthropic-beta', [FILES, ...more].join(',')],
];

/** The API of Anthropic. */
export const ANTHROPIC: Service = {
  credentialType: CREDENTIAL,
  addressField: 'url',
  address: 'https://api.anthropic.com',
  headers: [['anthropic-version', '2023-06-01']],
};

/** Roles of messages. */
export const ROLES: Roles = { user: 'user', assistant: 'assistant' };

/** A model as a chat model node would choose it. @param features functions of the API next to that for files */
export const anthropicModel = (model: string, ...features: readonly string[]): ModelChoice => ({
  node: { kind: 'lmChatAnthropic', typeVersion: 1.3, parameters: { model, options: {} } },
  credentialType: CREDENTIAL,
  headers: withFeatures(...features),
});

/** The item of a response: its content, or the whole response. */
export const itemOfResponse = (raw: JsonObject, simplifies: boolean, more: JsonObject = {}): JsonObject =>
  simplifies ? { content: raw['content'] ?? null, ...more } : { ...raw, ...more };
