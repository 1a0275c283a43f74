import type { Credential } from '@weft/proto/credentials';
import { ServiceError } from '@weft/service-kit/errors';
import { quote } from '../http/json-text';
import { dataAnswer } from '../middleware/write-answer';
import type { SettingsHandler } from './settings-handler';
import { readShown } from './shown-lists';

const shownText = ({ id, name, type, ownerId }: Credential): string =>
  `{"id":${quote(id)},"name":${quote(name)},"type":${quote(type)},"ownerId":${quote(ownerId)}}`;

/**
 * GET /settings/api/credentials: the newest 1,000 that the signed-in user manages, with their owners; null for users
 * who manage none, which is not an error here.
 */
export const listPageCredentials: SettingsHandler = async ({ signedIn }, { credentials }) => {
  const principal = await signedIn();
  try {
    const shown = await readShown(async (page) => {
      const { credentials: entries, nextCursor } = await credentials.calls.listCredentials(page, { principal });
      return { entries, nextCursor };
    });
    return dataAnswer(`[${shown.map(shownText).join(',')}]`);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'forbidden') return dataAnswer('null');
    throw error;
  }
};
