import { CredentialTestStatus, type Credential } from '@weft/proto/credentials';
import { InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { ifMatch, taggedBy } from '../http/entity-tags';
import { creationKey } from '../http/idempotency-key';
import { quote, timeText } from '../http/json-text';
import { flagParameter } from '../http/read-query';
import { anyObject, object, readBody, text } from '../http/shape';
import { dataAnswer, DELETED, taggedAnswer } from '../middleware/responses/write-answer';
import { RETURN_PATH } from '../oauth2/lead-to-console';
import { loginCookie } from '../oauth2/login-cookie';
import { ANY_OBJECT, BOOLEAN, component, exemplified, ID, listOf, oneOf, record, TEXT, TIME } from '../openapi/schema';
import type { ApiHandler, BrowserSession } from './api-handler';
import { listAnswer } from './list-answer';
import { OWNER_ID, PROJECT_ID, readOwner } from './owned';

/** Schema of `credentialText`. */
export const CREDENTIAL = component(
  'Credential',
  record(
    {
      id: ID,
      name: exemplified('CRM', TEXT),
      type: exemplified('httpHeaderAuth', TEXT),
      ownerId: OWNER_ID,
      createdAt: TIME,
      updatedAt: TIME,
    },
    { login: oneOf('signedIn', 'needsLogin'), loginMessage: TEXT },
  ),
);

/** Only of credentials that a user signs in with. */
const loginText = ({ login }: Credential): string => {
  if (login === undefined) return '';
  return login.needsLogin ? `,"login":"needsLogin","loginMessage":${quote(login.message)}` : ',"login":"signedIn"';
};

/** A credential as shown by the REST API, never with its data. */
export const credentialText = (credential: Credential | undefined): string => {
  if (credential === undefined)
    throw new InternalError(new Error('The credentials service answered without the credential.'));
  const { id, name, type, ownerId, createdAt, updatedAt } = credential;
  return (
    `{"id":${quote(id)},"name":${quote(name)},"type":${quote(type)},"ownerId":${quote(ownerId)},` +
    `"createdAt":${timeText(createdAt)},"updatedAt":${timeText(updatedAt)}${loginText(credential)}}`
  );
};

const CREDENTIAL_PROBE = component(
  'CredentialProbe',
  record({ kind: oneOf('login', 'buckets', 'request', 'address') }, { url: TEXT, body: ANY_OBJECT, okField: TEXT }),
);

const CREDENTIAL_FIELD = component(
  'CredentialField',
  record(
    {
      name: TEXT,
      label: TEXT,
      type: oneOf('string', 'number', 'boolean', 'options', 'json'),
      required: BOOLEAN,
      secret: BOOLEAN,
    },
    { isLogin: BOOLEAN, default: {}, options: listOf(TEXT), help: TEXT },
  ),
);

/** A type, as declared by packages/node-catalogue. */
export const CREDENTIAL_TYPE = component(
  'CredentialType',
  record(
    {
      name: TEXT,
      label: TEXT,
      fields: listOf(CREDENTIAL_FIELD),
      applied: TEXT,
      hosts: listOf(TEXT),
    },
    { request: ANY_OBJECT, test: CREDENTIAL_PROBE, hostField: TEXT },
  ),
);

/** The fields of a credential's update; undefined for omitted ones. */
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

/** Fields of responses, ignored in requests so that a response of GET can be sent back. */
const SHOWN = ['id', 'ownerId', 'createdAt', 'updatedAt', 'login', 'loginMessage'];

/** Body of a creation. */
export const NEW_CREDENTIAL_BODY = object(
  { ...FIELDS, projectId: PROJECT_ID },
  { required: ['name', 'type', 'data'], ignored: SHOWN },
);

/** Body of an update. */
export const CREDENTIAL_BODY = object(FIELDS, { ignored: SHOWN });

/** Reads such a body. @throws InvalidRequest */
const readCredential = (body: Json | undefined): CredentialBody => {
  const { name, type, data } = readBody(CREDENTIAL_BODY, body);
  return { name, type, dataJson: data === undefined ? undefined : JSON.stringify(data) };
};

/**
 * GET /credentials: the credentials that the caller manages, without their data, newest first; with `limit` or `cursor`
 * one page. With `projectId` those of a project or user.
 */
export const listCredentials: ApiHandler = (request, { credentials }) => {
  const owner = readOwner(request.query);
  return listAnswer(request, async (page) => {
    const { credentials: found, nextCursor } = await credentials.calls.listCredentials(
      { ...page, ...owner },
      { principal: request.principal },
    );
    return { entries: found.map(credentialText), nextCursor };
  });
};

/** GET /credentials/:id: one credential without its data. */
export const getCredential: ApiHandler = async ({ id, principal }, { credentials }) => {
  const { credential } = await credentials.calls.getCredential({ credentialId: id }, { principal });
  return taggedAnswer(credentialText(credential), credential?.etag);
};

/**
 * POST /credentials: seals and stores a credential, in a project if `projectId` is set. 201 with everything but its
 * data.
 */
export const createCredential: ApiHandler = async ({ body, headers, principal }, { credentials }) => {
  const { name = '', type = '', data = {}, projectId } = readBody(NEW_CREDENTIAL_BODY, body);
  const { credential } = await credentials.calls.createCredential(
    { name, type, dataJson: JSON.stringify(data), projectId, ...creationKey(headers) },
    { principal },
  );
  return dataAnswer(credentialText(credential), {
    status: 201,
    headers: { location: `/api/v1/credentials/${credential?.id ?? ''}`, ...taggedBy(credential?.etag) },
  });
};

/**
 * PUT /credentials/:id: changes the fields in the body. Omitted data and omitted secrets within data stay unchanged,
 * because no client can read them to send them back.
 */
export const updateCredential: ApiHandler = async ({ id, body, headers, principal }, { credentials }) => {
  const change = readCredential(body);
  const { credential } = await credentials.calls.updateCredential(
    { credentialId: id, ...change, ...ifMatch(headers) },
    { principal },
  );
  return taggedAnswer(credentialText(credential), credential?.etag);
};

/** Body of a test; most types need none. */
export const TEST_BODY = object({
  url: text({
    maxLength: 2_000,
    description:
      'For types without a fixed service: an http or https address that responds to a GET with 2xx only if the ' +
      'credential is valid.',
  }),
});

/** Result of a test. */
export const CREDENTIAL_CHECK = component(
  'CredentialCheck',
  record({ status: oneOf('ok', 'error', 'untestable'), message: TEXT }),
);

const TEST_STATUSES: ReadonlyMap<CredentialTestStatus, string> = new Map([
  [CredentialTestStatus.CREDENTIAL_TEST_STATUS_OK, 'ok'],
  [CredentialTestStatus.CREDENTIAL_TEST_STATUS_ERROR, 'error'],
  [CredentialTestStatus.CREDENTIAL_TEST_STATUS_UNTESTABLE, 'untestable'],
]);

/** POST /credentials/:id/test, an addition: checks whether the service accepts the credential. */
export const testCredential: ApiHandler = async ({ id, body, principal }, { credentials }) => {
  const { url = '' } = body === undefined ? {} : readBody(TEST_BODY, body);
  const { status, message } = await credentials.calls.testCredential(
    { credentialId: id, url },
    { principal, waits: true },
  );
  return dataAnswer(`{"status":${quote(TEST_STATUSES.get(status) ?? 'error')},"message":${quote(message)}}`);
};

/** A caller with an API key, whom the credentials service refuses. */
const NO_BROWSER: BrowserSession = { sessionToken: '', origin: '', isSecure: false };

/** Page of a service. */
export const STARTED_LOGIN = component('StartedLogin', record({ url: TEXT }));

/**
 * POST /credentials/:id/oauth2/start, an addition: begins to sign in at the service of the credential. The attempt is
 * in a cookie of this browser.
 * @throws SESSION_REQUIRED for a caller with an API key
 */
export const startLogin: ApiHandler = async ({ id, browser, principal }, { credentials }) => {
  const { sessionToken, origin, isSecure } = browser ?? NO_BROWSER;
  const { url, attempt } = await credentials.calls.startLogin(
    { credentialId: id, sessionToken, redirectUri: origin + RETURN_PATH },
    { principal },
  );
  return dataAnswer(`{"url":${quote(url)}}`, {
    status: 200,
    headers: { 'set-cookie': loginCookie(attempt, isSecure) },
  });
};

/** GET /credential-types, an addition: every type with its fields and how they are applied, by name. */
export const listCredentialTypes: ApiHandler = async ({ principal }, { credentials }) => {
  const { credentialTypes } = await credentials.calls.listCredentialTypes({}, { principal });
  return dataAnswer(`[${credentialTypes.map(({ schema }) => schema.toString()).join(',')}]`);
};

/** GET /credential-types/:name, an addition: one type. */
export const getCredentialType: ApiHandler = async ({ id, principal }, { credentials }) => {
  const { credentialType } = await credentials.calls.getCredentialType({ name: id }, { principal });
  return dataAnswer(credentialType?.schema.toString() ?? 'null');
};

/** Deletes a credential although workflows use it. */
export const FORCE = flagParameter('force', 'Deletes it although workflows name it: their nodes fail from then on.');

/** DELETE /credentials/:id: 409 while workflows use it, unless `force=true`, after which their nodes fail. */
export const deleteCredential: ApiHandler = async ({ id, query, headers, principal }, { credentials }) => {
  await credentials.calls.deleteCredential(
    { credentialId: id, force: FORCE.read(query), ...ifMatch(headers) },
    { principal },
  );
  return DELETED;
};
