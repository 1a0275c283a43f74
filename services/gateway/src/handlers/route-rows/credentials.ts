import { IF_MATCH } from '../../http/entity-tags';
import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { OPTIONAL_PAGE } from '../../http/read-query';
import {
  CREDENTIAL_GRANT,
  grantCredential,
  CREDENTIAL_USES,
  listCredentialGrants,
  listCredentialUses,
  revokeCredential,
} from '../../identity/credential-grants';
import { answers, createsTagged, lists, succeeds, tagged } from '../../openapi/route-doc';
import { listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { OF_PROJECT } from '../owned';
import {
  createCredential,
  CREDENTIAL,
  CREDENTIAL_BODY,
  CREDENTIAL_CHECK,
  CREDENTIAL_TYPE,
  deleteCredential,
  FORCE,
  getCredential,
  getCredentialType,
  listCredentials,
  listCredentialTypes,
  NEW_CREDENTIAL_BODY,
  STARTED_LOGIN,
  startLogin,
  TEST_BODY,
  testCredential,
  updateCredential,
} from '../credentials';
import { GRANTED_CREDENTIAL, listGrantedCredentials } from '../granted-credentials';

/** Credentials. */
export const CREDENTIAL_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/credentials',
    query: [...OPTIONAL_PAGE, OF_PROJECT],
    body: 'none',
    handler: listCredentials,
    doc: {
      tag: 'Credentials',
      summary: 'List credentials',
      description: 'Newest first, without their data. Admins of projects get those of their projects.',
      answers: lists(CREDENTIAL),
    },
  },
  {
    method: 'GET',
    path: '/credentials/:id',
    query: [],
    body: 'none',
    handler: getCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Get a credential',
      description: 'Without its data.',
      answers: tagged(CREDENTIAL),
      reasons: ['CREDENTIAL_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/credentials',
    query: [],
    body: 'required',
    request: NEW_CREDENTIAL_BODY,
    handler: createCredential,
    doc: {
      example: { name: 'CRM', type: 'httpHeaderAuth', data: { name: 'Authorization', value: 'Bearer …' } },
      tag: 'Credentials',
      summary: 'Create a credential',
      description: 'Admins of projects name one of them as `projectId`.',
      headers: [CREATION_KEY],
      answers: createsTagged(CREDENTIAL),
      reasons: [...CREATION_KEY_REASONS, 'PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/credentials/:id',
    query: [],
    body: 'required',
    request: CREDENTIAL_BODY,
    handler: updateCredential,
    doc: {
      example: { name: 'CRM, new key', data: { value: 'Bearer …' } },
      tag: 'Credentials',
      summary: 'Change a credential',
      description:
        'Fields that are missing do not change, including the data and the secrets within it. Admins of projects ' +
        'must send data with its secrets.',
      headers: [IF_MATCH],
      answers: tagged(CREDENTIAL),
      reasons: ['VERSION_CONFLICT', 'CREDENTIAL_NOT_FOUND', 'CREDENTIAL_BUSY', 'CREDENTIAL_UNREADABLE'],
    },
  },
  {
    method: 'DELETE',
    path: '/credentials/:id',
    query: [FORCE],
    body: 'none',
    handler: deleteCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Delete a credential',
      description: 'Refused while the current version of a workflow uses it, unless it is forced.',
      headers: [IF_MATCH],
      answers: succeeds,
      reasons: ['VERSION_CONFLICT', 'CREDENTIAL_NOT_FOUND', 'CREDENTIAL_IN_USE'],
    },
  },
  {
    method: 'GET',
    path: '/credentials/:id/workflows',
    query: [],
    body: 'none',
    handler: listCredentialUses,
    doc: {
      tag: 'Credentials',
      summary: 'List the workflows that use a credential',
      description: 'At most 20 workflows that the caller may read.',
      answers: answers(CREDENTIAL_USES),
      reasons: ['CREDENTIAL_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/credentials/:id/grants',
    query: [],
    body: 'none',
    handler: listCredentialGrants,
    doc: {
      tag: 'Credentials',
      summary: 'List the grants of a credential',
      description:
        'Projects and users whose workflows may use it, and single workflows that may use it, in addition to its ' +
        'owner.',
      answers: answers(listOf(CREDENTIAL_GRANT)),
      reasons: ['CREDENTIAL_NOT_FOUND'],
    },
  },
  {
    method: 'PUT',
    path: '/credentials/:id/grants/:grantedTo',
    query: [],
    body: 'none',
    handler: grantCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Grant a credential to a project, a user or a workflow',
      description:
        'The id at the end of the path is that of a project or user, whose workflows may then use the credential, or ' +
        'of a single workflow. Members of a project see its name and type. The grant ends when it is revoked, or ' +
        'when the credential gets another owner.',
      answers: answers(CREDENTIAL_GRANT),
      reasons: [
        'CREDENTIAL_NOT_FOUND',
        'PROJECT_NOT_FOUND',
        'TOO_MANY_GRANTS',
        'CREDENTIAL_BUSY',
        'CREDENTIAL_UNREADABLE',
      ],
    },
  },
  {
    method: 'DELETE',
    path: '/credentials/:id/grants/:grantedTo',
    query: [],
    body: 'none',
    handler: revokeCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Revoke a grant of a credential',
      description: 'Takes effect for uses that begin after the response: nodes that use it then fail.',
      answers: succeeds,
      reasons: ['CREDENTIAL_NOT_FOUND', 'GRANT_NOT_FOUND', 'CREDENTIAL_BUSY'],
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/granted-credentials',
    query: OPTIONAL_PAGE,
    body: 'none',
    handler: listGrantedCredentials,
    doc: {
      tag: 'Credentials',
      summary: 'List the credentials that are granted to a project',
      description: 'Newest first, without their data, for members of the project, and for owners and admins.',
      answers: lists(GRANTED_CREDENTIAL),
      reasons: ['PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/credentials/:id/test',
    query: [],
    body: 'optional',
    request: TEST_BODY,
    handler: testCredential,
    doc: {
      tag: 'Credentials',
      summary: 'Test a credential',
      description:
        'Connects and logs in, or sends one harmless request, for at most 10 s, and changes nothing at the service. ' +
        'Types without a test are `untestable`. At most 20 tests a minute.',
      answers: answers(CREDENTIAL_CHECK),
      reasons: [
        'CREDENTIAL_NOT_FOUND',
        'CREDENTIAL_UNREADABLE',
        'CREDENTIAL_FILE_UNUSABLE',
        'CREDENTIAL_NEEDS_LOGIN',
        'TOKEN_REFRESH_FAILED',
      ],
    },
  },
  {
    method: 'POST',
    path: '/credentials/:id/oauth2/start',
    query: [],
    body: 'none',
    handler: startLogin,
    doc: {
      tag: 'Credentials',
      summary: 'Begin to sign in with an OAuth 2 credential',
      description:
        'Returns the page of the service to which the browser goes. Only for a session of the console: the attempt ' +
        'is valid for 10 minutes, once, and in the browser that began it. At most 20 attempts a minute.',
      answers: answers(STARTED_LOGIN),
      reasons: [
        'CREDENTIAL_NOT_FOUND',
        'SESSION_REQUIRED',
        'LOGIN_NOT_POSSIBLE',
        'CREDENTIAL_UNREADABLE',
        'CREDENTIAL_FILE_UNUSABLE',
      ],
    },
  },
  {
    method: 'GET',
    path: '/credential-types',
    query: [],
    body: 'none',
    handler: listCredentialTypes,
    doc: {
      tag: 'Credentials',
      summary: 'List credential types',
      description:
        'Every type, by name, with its fields, the fields that are secret, and the way in which it is applied.',
      answers: answers(listOf(CREDENTIAL_TYPE)),
    },
  },
  {
    method: 'GET',
    path: '/credential-types/:id',
    query: [],
    body: 'none',
    handler: getCredentialType,
    doc: {
      tag: 'Credentials',
      summary: 'Get a credential type',
      answers: answers(CREDENTIAL_TYPE),
      reasons: ['CREDENTIAL_TYPE_NOT_FOUND'],
    },
  },
];
