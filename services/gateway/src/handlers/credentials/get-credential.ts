import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { credentialText } from './credential-json';

/** GET /credentials/:id: one credential without its data. */
export const getCredential: ApiHandler = async ({ id, principal }, { credentials }) => {
  const { credential } = await credentials.calls.getCredential({ credentialId: id }, { principal });
  return dataAnswer(credentialText(credential));
};
