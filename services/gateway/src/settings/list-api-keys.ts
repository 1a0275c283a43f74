import { dataAnswer } from '../middleware/write-answer';
import { apiKeyMembers } from './api-key-json';
import type { SettingsHandler } from './settings-handler';

/** GET /settings/api/keys: the user's keys, newest first, by name and creation date. */
export const listApiKeys: SettingsHandler = async ({ signedIn }, { identity }) => {
  const principal = await signedIn();
  const { apiKeys } = await identity.apiKeys.listApiKeys({}, { principal });
  return dataAnswer(`[${apiKeys.map((key) => `{${apiKeyMembers(key)}}`).join(',')}]`);
};
