import type { Project as ProjectMessage, ProjectMember, ProjectServiceService } from '@weft/proto/projects';
import type { Role as RoleMessage } from '@weft/proto/identity';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { Member } from '../domain/projects/members';
import type { ShownProject } from '../domain/projects/projects';
import type { ProjectRole } from '../domain/ownership/user';
import { principalOf } from './access';
import { fromRoleMessage, toRoleMessage } from './user-message';

const toProjectMessage = ({ id, name, createdAt, closed }: ShownProject): ProjectMessage => ({
  id,
  name,
  createdAt,
  closed,
});

const toMemberMessage = ({ user, role }: Member): ProjectMember => ({
  userId: user.id,
  email: user.email,
  name: user.name ?? '',
  role: toRoleMessage(role),
});

/** Undefined for a role that a member cannot have. */
const fromMemberRole = (message: RoleMessage): ProjectRole | undefined => {
  const role = fromRoleMessage(message);
  return role === 'owner' ? undefined : role;
};

const missingUser = (): InvalidRequest =>
  new InvalidRequest('The user is missing.', [{ field: 'user', message: 'must be user_id or email.' }]);

/** Handlers of ProjectService. */
export const projectHandlers = (useCases: UseCases): Handlers<typeof ProjectServiceService> => ({
  listProjects: async (request) => {
    const { items, nextCursor } = await useCases.listProjects(request);
    return { projects: items.map(toProjectMessage), nextCursor };
  },
  getProject: async ({ projectId }) => ({ project: toProjectMessage(await useCases.getProject(projectId)) }),
  createProject: async ({ name, closed }, context) => ({
    project: toProjectMessage(
      await useCases.createProject(principalOf(context), { name, closed, id: context.createdId }),
    ),
  }),
  renameProject: async ({ projectId, name, closed }, context) => ({
    project: toProjectMessage(await useCases.renameProject(principalOf(context), projectId, { name, closed })),
  }),
  deleteProject: async ({ projectId, transferTo }, context) => {
    await useCases.deleteProject(principalOf(context), projectId, transferTo);
    return {};
  },
  listProjectMembers: async ({ projectId }, context) => ({
    members: (await useCases.listProjectMembers(principalOf(context), projectId)).map(toMemberMessage),
  }),
  putProjectMember: async ({ projectId, user, role }, context) => {
    if (user === undefined) throw missingUser();
    const name = user.$case === 'userId' ? { userId: user.value } : { email: user.value };
    const member = await useCases.putProjectMember(principalOf(context), projectId, name, fromMemberRole(role));
    return { member: toMemberMessage(member) };
  },
  removeProjectMember: async ({ projectId, userId }, context) => {
    await useCases.removeProjectMember(principalOf(context), projectId, userId);
    return {};
  },
  transferWorkflow: async ({ workflowId, projectId }, context) => {
    await useCases.transferThing(principalOf(context), { kind: 'workflow', id: workflowId }, projectId);
    return {};
  },
  transferVariable: async ({ variableId, projectId }, context) => {
    await useCases.transferThing(principalOf(context), { kind: 'variable', id: variableId }, projectId);
    return {};
  },
  transferDataTable: async ({ dataTableId, projectId }, context) => {
    await useCases.transferThing(principalOf(context), { kind: 'data-table', id: dataTableId }, projectId);
    return {};
  },
  transferCredential: async ({ credentialId, projectId }, context) => {
    await useCases.giveCredential(principalOf(context), credentialId, projectId);
    return {};
  },
  checkDestination: async ({ projectId }) => {
    await useCases.checkDestination(projectId);
    return {};
  },
  listClosedProjects: async ({ knownVersion }) => {
    const listed = await useCases.listClosedProjects(knownVersion);
    return listed === undefined
      ? { version: knownVersion, projectIds: [], unchanged: true }
      : { version: listed.version, projectIds: [...listed.projectIds], unchanged: false };
  },
});
