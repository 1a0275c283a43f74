import type { ApiKey } from '@weft/proto/identity';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { bodyObject, type FieldReader, readFields, readTime, refuseFieldErrors } from '../http/body-fields';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import type { IdentityHandler } from './identity-handler';

/** A key without its value, as lists show it. `scopes` is null for a key that is not limited. */
export const apiKeyText = ({ id, name, createdAt, expiresAt, scopes, lastUsedAt }: ApiKey): string =>
  `{"id":${quote(id)},"name":${quote(name)},"createdAt":${timeText(createdAt)},"expiresAt":${timeText(expiresAt)},` +
  `"scopes":${scopes.length === 0 ? 'null' : JSON.stringify(scopes)},"lastUsedAt":${timeText(lastUsedAt)}}`;

/** Reads names of scopes; which exist is decided by the service. */
const readScopes = (fields: FieldReader): string[] => {
  const list = fields.array('scopes');
  if (list === undefined) return [];
  const names = list.filter((entry) => typeof entry === 'string');
  if (list.length === 0 || names.length < list.length)
    fields.error('scopes', 'must be a non-empty list of strings; leave it out for a key that is not limited.');
  return names;
};

/** GET /keys, an addition: the keys of the user, newest first, without their values. */
export const listApiKeys: IdentityHandler = async ({ principal }, { identity }) => {
  const { apiKeys } = await identity.apiKeys.listApiKeys({}, { principal });
  return dataAnswer(`[${apiKeys.map(apiKeyText).join(',')}]`);
};

/** POST /keys, an addition: creates a key. Its value is in this answer and nowhere else. */
export const createApiKey: IdentityHandler = async ({ body, principal }, { identity }) => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('name', 'expiresAt', 'scopes');
  fields.require('name');
  const request = {
    name: (fields.string('name') ?? '').trim(),
    expiresAt: readTime(fields, 'expiresAt'),
    scopes: readScopes(fields),
  };
  refuseFieldErrors(errors);
  const { apiKey, value } = await identity.apiKeys.createApiKey(request, { principal });
  if (apiKey === undefined) throw new InternalError(new Error('A key was made, and the answer left it out.'));
  return dataAnswer(`${apiKeyText(apiKey).slice(0, -1)},"value":${quote(value)}}`, { status: 201 });
};

/** DELETE /keys/:id, an addition: the key fails on the very next request. */
export const deleteApiKey: IdentityHandler = async ({ id, principal }, { identity }) => {
  await identity.apiKeys.deleteApiKey({ apiKeyId: id }, { principal });
  return DELETED;
};
