import { ServiceError } from '@weft/service-kit/errors';
import { dataAnswer } from '../middleware/write-answer';
import { personText } from './person-json';
import type { SettingsHandler } from './settings-handler';

/** GET /settings/api/session: who is signed in, or null. Not being signed in is an answer here, not an error. */
export const getSession: SettingsHandler = async ({ signedIn }) => {
  try {
    return dataAnswer(personText(await signedIn()));
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthenticated') return dataAnswer('null');
    throw error;
  }
};
