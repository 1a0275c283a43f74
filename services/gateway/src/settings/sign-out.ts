import { DELETED } from '../middleware/write-answer';
import { endedCookie } from './session-cookie';
import type { SettingsHandler } from './settings-handler';

/** DELETE /settings/api/session: ends the session, here and in the browser. Repeating it changes nothing. */
export const signOut: SettingsHandler = async ({ sessionToken, isSecure }, { identity }) => {
  if (sessionToken !== undefined) await identity.sessions.signOut({ sessionToken });
  return { ...DELETED, headers: { 'set-cookie': endedCookie(isSecure) } };
};
