import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { apiKeyText } from '../identity/users';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { quote } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import type { SettingsHandler } from './settings-handler';

/** GET /settings/api/keys: the user's keys, newest first, by name and creation date. */
export const listApiKeys: SettingsHandler = async ({ signedIn }, { identity }) => {
  const principal = await signedIn();
  const { apiKeys } = await identity.apiKeys.listApiKeys({}, { principal });
  return dataAnswer(`[${apiKeys.map(apiKeyText).join(',')}]`);
};

/** POST /settings/api/keys: creates a key. Its value is in this answer and nowhere else. */
export const createApiKey: SettingsHandler = async ({ body, signedIn }, { identity }) => {
  const principal = await signedIn();
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.require('name');
  const name = (fields.string('name') ?? '').trim();
  refuseFieldErrors(errors);
  const { apiKey, value } = await identity.apiKeys.createApiKey({ name }, { principal });
  if (apiKey === undefined) throw new InternalError(new Error('A key was made, and the answer left it out.'));
  return dataAnswer(`${apiKeyText(apiKey).slice(0, -1)},"value":${quote(value)}}`, { status: 201 });
};

/** DELETE /settings/api/keys/:id: the key fails on the very next request. */
export const deleteApiKey: SettingsHandler = async ({ id, signedIn }, { identity }) => {
  const principal = await signedIn();
  await identity.apiKeys.deleteApiKey({ apiKeyId: id }, { principal });
  return DELETED;
};
