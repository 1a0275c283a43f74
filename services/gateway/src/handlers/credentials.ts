import type { Credential } from '@weft/proto/credentials';
import { InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { quote, timeText } from '../http/json-text';
import { anyObject, object, readBody, text } from '../http/shape';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import { component, ID, record, TEXT, TIME } from '../openapi/schema';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

/** What `credentialText` writes. */
export const CREDENTIAL = component(
  'Credential',
  record({ id: ID, name: TEXT, type: TEXT, createdAt: TIME, updatedAt: TIME }),
);

/** A credential as the REST contract shows it: never its data. */
export const credentialText = (credential: Credential | undefined): string => {
  if (credential === undefined)
    throw new InternalError(new Error('The credentials service answered without the credential.'));
  const { id, name, type, createdAt, updatedAt } = credential;
  return (
    `{"id":${quote(id)},"name":${quote(name)},"type":${quote(type)},` +
    `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}}`
  );
};

/** The fields of a credential in a body; undefined for those it omits. */
export interface CredentialBody {
  readonly name: string | undefined;
  readonly type: string | undefined;
  readonly dataJson: string | undefined;
}

const FIELDS = {
  name: text({ minLength: 1, maxLength: 128 }),
  type: text({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9]+$' }),
  data: anyObject({ writeOnly: true, description: 'The fields of the type. They are stored sealed.' }),
};

/** What answers show: it is ignored, so that the answer of GET can be sent back. */
const SHOWN = ['id', 'createdAt', 'updatedAt'];

/** The body of a creation. */
export const NEW_CREDENTIAL_BODY = object(FIELDS, { required: ['name', 'type', 'data'], ignored: SHOWN });

/** The body of a change. */
export const CREDENTIAL_BODY = object(FIELDS, { ignored: SHOWN });

/** Reads such a body. @throws InvalidRequest */
const readCredential = (shape: typeof CREDENTIAL_BODY, body: Json | undefined): CredentialBody => {
  const { name, type, data } = readBody(shape, body);
  return { name, type, dataJson: data === undefined ? undefined : JSON.stringify(data) };
};

/** GET /credentials: all credentials without their data, newest first; with `limit` or `cursor` a page of them. */
export const listCredentials: ApiHandler = (request, { credentials }) =>
  listAnswer(request, async (page) => {
    const { credentials: found, nextCursor } = await credentials.calls.listCredentials(page, {
      principal: request.principal,
    });
    return { entries: found.map(credentialText), nextCursor };
  });

/** GET /credentials/:id: one credential without its data. */
export const getCredential: ApiHandler = async ({ id, principal }, { credentials }) => {
  const { credential } = await credentials.calls.getCredential({ credentialId: id }, { principal });
  return dataAnswer(credentialText(credential));
};

/** POST /credentials: seals and stores a credential. 201 with everything but its data. */
export const createCredential: ApiHandler = async ({ body, principal }, { credentials }) => {
  const { name = '', type = '', dataJson = '{}' } = readCredential(NEW_CREDENTIAL_BODY, body);
  const { credential } = await credentials.calls.createCredential({ name, type, dataJson }, { principal });
  return dataAnswer(credentialText(credential), {
    status: 201,
    headers: { location: `/api/v1/credentials/${credential?.id ?? ''}` },
  });
};

/**
 * PUT /credentials/:id: changes the fields of the body; omitted data remains unchanged, since no client can read it to
 * send it back.
 */
export const updateCredential: ApiHandler = async ({ id, body, principal }, { credentials }) => {
  const change = readCredential(CREDENTIAL_BODY, body);
  const { credential } = await credentials.calls.updateCredential({ credentialId: id, ...change }, { principal });
  return dataAnswer(credentialText(credential));
};

/** DELETE /credentials/:id: nodes that refer to it fail from then on. */
export const deleteCredential: ApiHandler = async ({ id, principal }, { credentials }) => {
  await credentials.calls.deleteCredential({ credentialId: id }, { principal });
  return DELETED;
};
