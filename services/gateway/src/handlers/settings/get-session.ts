import { dataAnswer } from '../../middleware/write-answer';
import { personText } from './person-json';
import type { SettingsHandler } from './settings-handler';

/** GET /settings/api/session: who is signed in; 401 if nobody is. */
export const getSession: SettingsHandler = async ({ signedIn }) => dataAnswer(personText(await signedIn()));
