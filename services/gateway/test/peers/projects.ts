import { Role } from '@weft/proto/identity';
import { ProjectServiceService, type Project, type ProjectMember } from '@weft/proto/projects';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type BoundService, type Handlers } from '@weft/service-kit/grpc';
import type { Fake } from './fake';

/** The only project of the fake. */
export const PROJECT: Project = {
  id: 'p1',
  name: 'Sales',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
  closed: false,
};

/** Ids of the only workflow, variable, table and credential of the fake. */
const THINGS = ['w1', 'v1', 't1', 'c1'];

const MEMBER: ProjectMember = { userId: 'u1', email: 'ada@example.test', name: 'Ada', role: Role.ROLE_EDITOR };

const notFound = (what: string, id: string): ServiceError =>
  new ServiceError({
    reason: `${what.toUpperCase()}_NOT_FOUND`,
    kind: 'not-found',
    message: 'There is none.',
    details: { [`${what}Id`]: id },
  });

/** The projects of the credentials service, in memory. */
export const fakeProjects = (fake: Fake): BoundService => {
  const known = <Result>(projectId: string, result: Result): Result => {
    if (projectId !== PROJECT.id) throw notFound('project', projectId);
    return result;
  };
  const moved = (what: string, id: string, projectId: string): object => {
    if (!THINGS.includes(id)) throw notFound(what, id);
    return known(projectId, {});
  };
  const handlers: Handlers<typeof ProjectServiceService> = {
    listProjects: (request, context) =>
      fake.act('listProjects', request, context, () => ({ projects: [PROJECT], nextCursor: '' })),
    getProject: (request, context) =>
      fake.act('getProject', request, context, () => known(request.projectId, { project: PROJECT })),
    createProject: (request, context) =>
      fake.act('createProject', request, context, () => ({
        project: { ...PROJECT, name: request.name, closed: request.closed },
      })),
    renameProject: (request, context) =>
      fake.act('renameProject', request, context, () =>
        known(request.projectId, {
          project: { ...PROJECT, name: request.name, closed: request.closed ?? PROJECT.closed },
        }),
      ),
    deleteProject: (request, context) =>
      fake.act('deleteProject', request, context, () => known(request.projectId, {})),
    listProjectMembers: (request, context) =>
      fake.act('listProjectMembers', request, context, () => known(request.projectId, { members: [MEMBER] })),
    putProjectMember: (request, context) =>
      fake.act('putProjectMember', request, context, () =>
        known(request.projectId, { member: { ...MEMBER, role: request.role } }),
      ),
    removeProjectMember: (request, context) =>
      fake.act('removeProjectMember', request, context, () => known(request.projectId, {})),
    transferWorkflow: (request, context) =>
      fake.act('transferWorkflow', request, context, () => moved('workflow', request.workflowId, request.projectId)),
    transferVariable: (request, context) =>
      fake.act('transferVariable', request, context, () => moved('variable', request.variableId, request.projectId)),
    transferDataTable: (request, context) =>
      fake.act('transferDataTable', request, context, () =>
        moved('data_table', request.dataTableId, request.projectId),
      ),
    transferCredential: (request, context) =>
      fake.act('transferCredential', request, context, () =>
        moved('credential', request.credentialId, request.projectId),
      ),
    checkDestination: (request, context) => fake.act('checkDestination', request, context, () => ({})),
    listClosedProjects: (request, context) =>
      fake.act('listClosedProjects', request, context, () => ({ version: '', projectIds: [], unchanged: false })),
  };
  const managing = { users: 'projects:manage' } as const;
  const making = { users: 'users:manage' } as const;
  const reading = { users: 'workflows:read' } as const;
  const writing = { users: 'workflows:write' } as const;
  return bindService(ProjectServiceService, handlers, {
    listProjects: reading,
    getProject: reading,
    createProject: making,
    renameProject: managing,
    deleteProject: making,
    listProjectMembers: managing,
    putProjectMember: managing,
    removeProjectMember: managing,
    transferWorkflow: writing,
    transferVariable: writing,
    transferDataTable: writing,
    transferCredential: { users: 'users:manage' },
    checkDestination: { services: ['workflows'] },
    listClosedProjects: { services: ['workflows', 'executions'] },
  });
};
