import { DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';

/** DELETE /credentials/:id: nodes that name it fail from then on. */
export const deleteCredential: ApiHandler = async ({ id, principal }, { credentials }) => {
  await credentials.calls.deleteCredential({ credentialId: id }, { principal });
  return DELETED;
};
