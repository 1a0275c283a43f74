import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { quote } from '../http/json-text';
import { dataAnswer } from '../middleware/write-answer';
import { apiKeyMembers } from './api-key-json';
import type { SettingsHandler } from './settings-handler';

/** POST /settings/api/keys: makes a key. Its value is in this answer and nowhere else. */
export const createApiKey: SettingsHandler = async ({ body, signedIn }, { identity }) => {
  const principal = await signedIn();
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.require('name');
  const name = (fields.string('name') ?? '').trim();
  refuseFieldErrors(faults);
  const { apiKey, value } = await identity.apiKeys.createApiKey({ name }, { principal });
  if (apiKey === undefined) throw new InternalError(new Error('A key was made, and the answer left it out.'));
  return dataAnswer(`{${apiKeyMembers(apiKey)},"value":${quote(value)}}`, { status: 201 });
};
