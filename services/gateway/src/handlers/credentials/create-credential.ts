import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readCredentialBody } from './credential-body';
import { credentialText } from './credential-json';

/** POST /credentials: seals and stores a credential. 201 with everything but its data. */
export const createCredential: ApiHandler = async ({ body, principal }, { credentials }) => {
  const { name = '', type = '', dataJson = '{}' } = readCredentialBody(body, ['name', 'type', 'data']);
  const { credential } = await credentials.calls.createCredential({ name, type, dataJson }, { principal });
  return dataAnswer(credentialText(credential), {
    status: 201,
    headers: { location: `/api/v1/credentials/${credential?.id ?? ''}` },
  });
};
