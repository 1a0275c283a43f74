import { dataAnswer } from '../middleware/write-answer';
import type { SettingsHandler } from './settings-handler';

/** GET /settings/api/setup: whether this instance has no owner yet, so that the page offers to make one. */
export const getSetup: SettingsHandler = async (_request, { identity }) => {
  const { open } = await identity.sessions.getSetup({});
  return dataAnswer(`{"open":${open}}`);
};
