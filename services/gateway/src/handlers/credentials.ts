import type { Credential } from '@weft/proto/credentials';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import type { ApiHandler } from './api-handler';
import { listAnswer } from './list-answer';

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

/**
 * Reads the body of a creation or change. Id and times are ignored, so that the answer of GET can be sent back.
 * @param required mandatory fields.
 * @throws InvalidRequest
 */
export const readCredentialBody = (body: Json | undefined, required: readonly string[]): CredentialBody => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('name', 'type', 'data', 'id', 'createdAt', 'updatedAt');
  fields.require(...required);
  const data = fields.object('data');
  const read = {
    name: fields.string('name'),
    type: fields.string('type'),
    dataJson: data === undefined ? undefined : JSON.stringify(data),
  };
  refuseFieldErrors(errors);
  return read;
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
  const { name = '', type = '', dataJson = '{}' } = readCredentialBody(body, ['name', 'type', 'data']);
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
  const change = readCredentialBody(body, []);
  const { credential } = await credentials.calls.updateCredential({ credentialId: id, ...change }, { principal });
  return dataAnswer(credentialText(credential));
};

/** DELETE /credentials/:id: nodes that refer to it fail from then on. */
export const deleteCredential: ApiHandler = async ({ id, principal }, { credentials }) => {
  await credentials.calls.deleteCredential({ credentialId: id }, { principal });
  return DELETED;
};
