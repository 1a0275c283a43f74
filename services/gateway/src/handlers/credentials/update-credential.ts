import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readCredentialBody } from './credential-body';
import { credentialText } from './credential-json';

/**
 * PUT /credentials/:id: changes the fields that the body gives; data that is left out stays as it is, since nobody can
 * read it to send it back.
 */
export const updateCredential: ApiHandler = async ({ id, body, principal }, { credentials }) => {
  const change = readCredentialBody(body, []);
  const { credential } = await credentials.calls.updateCredential({ credentialId: id, ...change }, { principal });
  return dataAnswer(credentialText(credential));
};
