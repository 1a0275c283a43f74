import { DELETED } from '../middleware/write-answer';
import type { SettingsHandler } from './settings-handler';

/** DELETE /settings/api/keys/:id: the key fails on the very next request. */
export const deleteApiKey: SettingsHandler = async ({ id, signedIn }, { identity }) => {
  const principal = await signedIn();
  await identity.apiKeys.deleteApiKey({ apiKeyId: id }, { principal });
  return DELETED;
};
