import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { OPTIONAL_PAGE } from '../../http/read-query';
import {
  addProjectMember,
  createProject,
  deleteProject,
  getProject,
  listProjectMembers,
  MEMBER,
  MEMBER_BODY,
  NEW_MEMBER_BODY,
  PROJECT,
  PROJECT_BODY,
  PROJECT_TRANSFER_TO,
  putProjectMember,
  removeProjectMember,
  renameProject,
  TRANSFER_BODY,
  transferCredential,
  transferDataTable,
  transferVariable,
  transferWorkflow,
} from '../../identity/projects';
import type { IdentityHandler } from '../../identity/identity-handler';
import type { Reason } from '../../openapi/reasons';
import { answers, creates, lists, succeeds } from '../../openapi/route-doc';
import { dataBody, listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { listProjects } from '../users';

const JOIN: readonly Reason[] = ['PROJECT_NOT_FOUND', 'USER_NOT_FOUND', 'TOO_MANY_MEMBERS', 'TOO_MANY_MEMBERSHIPS'];

/** The row of a move to another project. */
const transferRoute = (path: string, what: string, handler: IdentityHandler, reasons: readonly Reason[]): Route => ({
  method: 'PUT',
  path: `${path}/:id/transfer`,
  query: [],
  body: 'required',
  request: TRANSFER_BODY,
  handler,
  doc: {
    tag: 'Projects',
    summary: `Move a ${what} to a project`,
    description:
      'The destination is a project whose contents you may change, or your own id; owners and admins may use any.',
    answers: succeeds,
    reasons: ['PROJECT_NOT_FOUND', ...reasons],
  },
});

/** Projects, their members, and moves between them. */
export const PROJECT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/projects',
    query: OPTIONAL_PAGE,
    body: 'none',
    handler: listProjects,
    doc: { tag: 'Projects', summary: 'List projects', description: 'Newest first.', answers: lists(PROJECT) },
  },
  {
    method: 'POST',
    path: '/projects',
    query: [],
    body: 'required',
    request: PROJECT_BODY,
    handler: createProject,
    doc: {
      tag: 'Projects',
      summary: 'Create a project',
      description:
        'Only members of a closed project, owners and admins can read its resources. The response comes after two ' +
        'seconds, when this applies everywhere.',
      headers: [CREATION_KEY],
      answers: creates(PROJECT),
      reasons: [...CREATION_KEY_REASONS, 'TOO_MANY_PROJECTS'],
    },
  },
  {
    method: 'GET',
    path: '/projects/:id',
    query: [],
    body: 'none',
    handler: getProject,
    doc: { tag: 'Projects', summary: 'Get a project', answers: answers(PROJECT), reasons: ['PROJECT_NOT_FOUND'] },
  },
  {
    method: 'PUT',
    path: '/projects/:id',
    query: [],
    body: 'required',
    request: PROJECT_BODY,
    handler: renameProject,
    doc: {
      tag: 'Projects',
      summary: 'Rename, close or open a project',
      description:
        'You can send a response of GET. The response to closing a project comes after two seconds, when the project ' +
        'is closed to every later request.',
      answers: answers(PROJECT),
      reasons: ['PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id',
    query: [PROJECT_TRANSFER_TO],
    body: 'none',
    handler: deleteProject,
    doc: {
      tag: 'Projects',
      summary: 'Delete a project',
      description: 'The project or user in `transferTo` gets everything that the project owns.',
      answers: succeeds,
      reasons: ['PROJECT_NOT_FOUND', 'PROJECT_OWNS_DATA'],
    },
  },
  {
    method: 'GET',
    path: '/projects/:id/members',
    query: [],
    body: 'none',
    handler: listProjectMembers,
    doc: {
      tag: 'Projects',
      summary: 'List the members of a project',
      answers: answers(listOf(MEMBER)),
      reasons: ['PROJECT_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/projects/:id/members',
    query: [],
    body: 'required',
    request: NEW_MEMBER_BODY,
    handler: addProjectMember,
    doc: {
      tag: 'Projects',
      summary: 'Add a member to a project',
      description: 'Identify the user by `email` or `userId`. An existing member gets the new role.',
      answers: { 201: { description: 'Added.', body: dataBody(MEMBER) } },
      reasons: JOIN,
    },
  },
  {
    method: 'PUT',
    path: '/projects/:id/members/:userId',
    query: [],
    body: 'required',
    request: MEMBER_BODY,
    handler: putProjectMember,
    doc: {
      tag: 'Projects',
      summary: 'Change the role of a member',
      description: 'Takes effect with the next request of the member. A user who is not a member becomes one.',
      answers: answers(MEMBER),
      reasons: JOIN,
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id/members/:userId',
    query: [],
    body: 'none',
    handler: removeProjectMember,
    doc: {
      tag: 'Projects',
      summary: 'Remove a member from a project',
      description: 'Keys and sessions of the member lose the project with their next request.',
      answers: succeeds,
      reasons: ['PROJECT_NOT_FOUND', 'MEMBER_NOT_FOUND'],
    },
  },
  transferRoute('/workflows', 'workflow', transferWorkflow, ['WORKFLOW_NOT_FOUND']),
  transferRoute('/variables', 'variable', transferVariable, ['VARIABLE_NOT_FOUND']),
  transferRoute('/data-tables', 'data table', transferDataTable, ['DATA_TABLE_NOT_FOUND']),
  transferRoute('/credentials', 'credential', transferCredential, ['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_BUSY']),
];
