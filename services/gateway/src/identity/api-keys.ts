import type { ApiKey } from '@weft/proto/identity';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { creationKey } from '../http/idempotency-key';
import { quote, timeText } from '../http/json-text';
import { object, readBody, type Shape, text, time } from '../http/shape';
import { dataAnswer, DELETED } from '../middleware/responses/write-answer';
import { component, described, type Fields, ID, listOf, orNull, record, TEXT, TIME } from '../openapi/schema';
import type { IdentityHandler } from './identity-handler';

const API_KEY_FIELDS: Fields = {
  id: ID,
  name: TEXT,
  createdAt: TIME,
  expiresAt: orNull(TIME),
  scopes: described('Null: the key may do what its user may.', orNull(listOf(TEXT))),
  lastUsedAt: orNull(TIME),
};

/** Schema of `apiKeyText`. */
export const API_KEY = component('ApiKey', record(API_KEY_FIELDS));

/** `data` of the response to a creation. */
export const CREATED_API_KEY = component(
  'CreatedApiKey',
  record({ ...API_KEY_FIELDS, value: described('Only this response contains it.', TEXT) }),
);

/** A key without its value, as shown in lists. `scopes` is null for an unlimited key. */
export const apiKeyText = ({ id, name, createdAt, expiresAt, scopes, lastUsedAt }: ApiKey): string =>
  `{"id":${quote(id)},"name":${quote(name)},"createdAt":${timeText(createdAt)},"expiresAt":${timeText(expiresAt)},` +
  `"scopes":${scopes.length === 0 ? 'null' : JSON.stringify(scopes)},"lastUsedAt":${timeText(lastUsedAt)}}`;

/** Names of scopes; the service decides which exist. */
const SCOPES: Shape<string[]> = {
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Scopes of the key.' },
  read: (value: Json, at: string, errors: FieldError[]) => {
    const entries = Array.isArray(value) ? value : [];
    const names = entries.filter((entry) => typeof entry === 'string');
    if (names.length > 0 && names.length === entries.length) return names;
    errors.push({
      field: at,
      message: Array.isArray(value)
        ? 'must be a non-empty list of strings; leave it out for a key that is not limited.'
        : 'must be an array',
    });
    return undefined;
  },
};

/** Body of a new key. */
export const NEW_API_KEY_BODY = object(
  {
    name: text({ minLength: 1, maxLength: 100 }),
    expiresAt: time({ description: 'When the key expires. Default: never.' }),
    scopes: SCOPES,
  },
  { required: ['name'] },
);

/** GET /keys, an addition: the keys of the user, newest first, without their values. */
export const listApiKeys: IdentityHandler = async ({ principal }, { identity }) => {
  const { apiKeys } = await identity.apiKeys.listApiKeys({}, { principal });
  return dataAnswer(`[${apiKeys.map(apiKeyText).join(',')}]`);
};

/** POST /keys, an addition: creates a key. Only this response contains its value. */
export const createApiKey: IdentityHandler = async ({ body, headers, principal }, { identity }) => {
  const { name = '', expiresAt, scopes = [] } = readBody(NEW_API_KEY_BODY, body);
  const request = { name: name.trim(), expiresAt, scopes, ...creationKey(headers) };
  const { apiKey, value } = await identity.apiKeys.createApiKey(request, { principal });
  if (apiKey === undefined) throw new InternalError(new Error('A key was made, and the answer left it out.'));
  return dataAnswer(`${apiKeyText(apiKey).slice(0, -1)},"value":${quote(value)}}`, { status: 201 });
};

/** DELETE /keys/:id, an addition: the key fails on the next request. */
export const deleteApiKey: IdentityHandler = async ({ id, principal }, { identity }) => {
  await identity.apiKeys.deleteApiKey({ apiKeyId: id }, { principal });
  return DELETED;
};
