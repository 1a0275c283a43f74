import { Role as RoleMessage } from '@weft/proto/identity';
import type { Project, ProjectMember } from '@weft/proto/projects';
import type { Principal } from '@weft/service-kit/auth';
import { InternalError, InvalidRequest } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import type { Json } from '@weft/service-kit/json';
import type { Clients } from '../clients';
import { creationKey } from '../http/idempotency-key';
import { quote, timeText } from '../http/json-text';
import { textParameter } from '../http/read-query';
import { choice, flag, object, readBody, text } from '../http/shape';
import { dataAnswer, DELETED } from '../middleware/responses/write-answer';
import { BOOLEAN, component, ID, oneOf, record, TEXT, TIME } from '../openapi/schema';
import type { IdentityHandler } from './identity-handler';
import { EMAIL } from './users';

const MEMBER_ROLES: ReadonlyMap<string, RoleMessage> = new Map([
  ['admin', RoleMessage.ROLE_ADMIN],
  ['editor', RoleMessage.ROLE_EDITOR],
  ['viewer', RoleMessage.ROLE_VIEWER],
]);

const MEMBER_ROLE = choice(MEMBER_ROLES);

/** A role of a member in a response. */
export const MEMBER_ROLE_SHOWN = oneOf(...MEMBER_ROLES.keys());

/** Text without control characters that does not consist of spaces only. */
const NAME_PATTERN = String.raw`^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f]*$`;

/** Body of a new or changed project. Without `closed` a new project is open, and an existing one stays unchanged. */
export const PROJECT_BODY = object(
  { name: text({ minLength: 1, maxLength: 100, pattern: NAME_PATTERN }), closed: flag() },
  { required: ['name'], ignored: ['id', 'createdAt'] },
);

/** Body of a new member. */
export const NEW_MEMBER_BODY = object(
  { email: EMAIL, userId: text({ minLength: 1, maxLength: 100 }), role: MEMBER_ROLE },
  { required: ['role'] },
);

/** Body for changing the role of a member. */
export const MEMBER_BODY = object({ role: MEMBER_ROLE }, { required: ['role'], ignored: ['userId', 'email', 'name'] });

/** Body of a transfer. */
export const TRANSFER_BODY = object(
  { destinationProjectId: text({ minLength: 1, maxLength: 100 }) },
  { required: ['destinationProjectId'] },
);

/** Schema of `projectText`. */
export const PROJECT = component('Project', record({ id: ID, name: TEXT, createdAt: TIME, closed: BOOLEAN }));

/** Schema of `memberText`. */
export const MEMBER = component(
  'ProjectMember',
  record({ userId: ID, email: TEXT, name: TEXT, role: MEMBER_ROLE_SHOWN }),
);

/** Parameter with the recipient of a deleted project's objects. */
export const PROJECT_TRANSFER_TO = textParameter(
  'transferTo',
  'The id of the project or user that gets everything that the deleted project owns.',
);

/** A project as shown by the REST API. */
export const projectText = (project: Project | undefined): string => {
  if (project === undefined)
    throw new InternalError(new Error('The credentials service answered without the project.'));
  const { id, name, createdAt, closed } = project;
  return `{"id":${quote(id)},"name":${quote(name)},"createdAt":${timeText(createdAt)},"closed":${closed}}`;
};

const memberText = (member: ProjectMember | undefined): string => {
  if (member === undefined) throw new InternalError(new Error('The credentials service answered without the member.'));
  const { userId, email, name, role } = member;
  return `{"userId":${quote(userId)},"email":${quote(email)},"name":${quote(name)},"role":${quote(roleNameOf(role))}}`;
};

/** Reads one page of projects, newest first, each as JSON text. */
export const readProjects = async (
  page: { readonly limit: number; readonly cursor: string },
  principal: Principal,
  { identity }: Pick<Clients, 'identity'>,
): Promise<{ readonly entries: readonly string[]; readonly nextCursor: string }> => {
  const { projects, nextCursor } = await identity.projects.listProjects(page, { principal });
  return { entries: projects.map(projectText), nextCursor };
};

/** GET /projects/:id, an addition. */
export const getProject: IdentityHandler = async ({ id, principal }, { identity }) =>
  dataAnswer(projectText((await identity.projects.getProject({ projectId: id }, { principal })).project));

/** POST /projects, an addition. 201 with the project. */
export const createProject: IdentityHandler = async ({ body, headers, principal }, { identity }) => {
  const { name = '', closed = false } = readBody(PROJECT_BODY, body);
  const { project } = await identity.projects.createProject({ name, closed, ...creationKey(headers) }, { principal });
  return dataAnswer(projectText(project), {
    status: 201,
    headers: { location: `/api/v1/projects/${project?.id ?? ''}` },
  });
};

/** PUT /projects/:id, an addition: changes the name and whether it is closed. A response of GET can be sent back. */
export const renameProject: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  const { name = '', closed } = readBody(PROJECT_BODY, body);
  const change = { projectId: id, name, ...(closed === undefined ? {} : { closed }) };
  return dataAnswer(projectText((await identity.projects.renameProject(change, { principal })).project));
};

/** DELETE /projects/:id, an addition. The project's objects go to the project or user in `transferTo`. */
export const deleteProject: IdentityHandler = async ({ id, query, principal }, { identity }) => {
  await identity.projects.deleteProject({ projectId: id, transferTo: PROJECT_TRANSFER_TO.read(query) }, { principal });
  return DELETED;
};

/** GET /projects/:id/members, an addition. */
export const listProjectMembers: IdentityHandler = async ({ id, principal }, { identity }) => {
  const { members } = await identity.projects.listProjectMembers({ projectId: id }, { principal });
  return dataAnswer(`[${members.map(memberText).join(',')}]`);
};

/** POST /projects/:id/members, an addition: adds a user by id or email, or changes the role of a member. */
export const addProjectMember: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  const { email, userId, role = RoleMessage.ROLE_UNSPECIFIED } = readBody(NEW_MEMBER_BODY, body);
  if ((email === undefined) === (userId === undefined))
    throw new InvalidRequest('The request is invalid.', [
      { field: 'email', message: 'must be given, or userId instead.' },
    ]);
  const { member } = await identity.projects.putProjectMember(
    {
      projectId: id,
      user: email === undefined ? { $case: 'userId', value: userId ?? '' } : { $case: 'email', value: email },
      role,
    },
    { principal },
  );
  return dataAnswer(memberText(member), { status: 201 });
};

/** PUT /projects/:id/members/:userId, an addition: the role takes effect with the member's next request. */
export const putProjectMember: IdentityHandler = async ({ id, ref, body, principal }, { identity }) => {
  const { role = RoleMessage.ROLE_UNSPECIFIED } = readBody(MEMBER_BODY, body);
  const user = { $case: 'userId', value: ref } as const;
  const { member } = await identity.projects.putProjectMember({ projectId: id, user, role }, { principal });
  return dataAnswer(memberText(member));
};

/** DELETE /projects/:id/members/:userId, an addition: keys and sessions of the member lose the project immediately. */
export const removeProjectMember: IdentityHandler = async ({ id, ref, principal }, { identity }) => {
  await identity.projects.removeProjectMember({ projectId: id, userId: ref }, { principal });
  return DELETED;
};

const destinationIn = (body: Json | undefined): string => readBody(TRANSFER_BODY, body).destinationProjectId ?? '';

const MOVED = dataAnswer('{"success":true}');

/** PUT /workflows/:id/transfer, an addition: moves a workflow to a project or user. */
export const transferWorkflow: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  await identity.projects.transferWorkflow({ workflowId: id, projectId: destinationIn(body) }, { principal });
  return MOVED;
};

/** PUT /variables/:id/transfer, an addition. */
export const transferVariable: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  await identity.projects.transferVariable({ variableId: id, projectId: destinationIn(body) }, { principal });
  return MOVED;
};

/** PUT /data-tables/:id/transfer, an addition. */
export const transferDataTable: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  await identity.projects.transferDataTable({ dataTableId: id, projectId: destinationIn(body) }, { principal });
  return MOVED;
};

/** PUT /credentials/:id/transfer, an addition: workflows of the new owner may then use it. */
export const transferCredential: IdentityHandler = async ({ id, body, principal }, { identity }) => {
  await identity.projects.transferCredential({ credentialId: id, projectId: destinationIn(body) }, { principal });
  return MOVED;
};
