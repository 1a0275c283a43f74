import { ProjectServiceService } from '@weft/proto/projects';
import { ServiceError, Unavailable } from '../errors';
import { bindService, type BoundService, type Handlers } from '../grpc';

/** Fake of the credentials service's project methods for other services. */
export interface FakeProjects {
  readonly service: BoundService;
  /** Ids of the closed projects. */
  readonly closed: Set<string>;
  /** Ids that may own new objects. */
  readonly destinations: Set<string>;
  /** While true, the list of closed projects is unavailable. */
  isAway: boolean;
}

const notFaked = (): Promise<never> =>
  Promise.reject(new ServiceError({ reason: 'NOT_FAKED', kind: 'internal', message: 'The test does not fake this.' }));

const notFound = (projectId: string): ServiceError =>
  new ServiceError({
    reason: 'PROJECT_NOT_FOUND',
    kind: 'not-found',
    message: 'There is none.',
    details: { projectId },
  });

/** Creates the handlers, to be served by a fake credentials service. */
export const fakeProjects = (): FakeProjects => {
  const handlers: Handlers<typeof ProjectServiceService> = {
    listProjects: notFaked,
    getProject: notFaked,
    createProject: notFaked,
    renameProject: notFaked,
    deleteProject: notFaked,
    listProjectMembers: notFaked,
    putProjectMember: notFaked,
    removeProjectMember: notFaked,
    transferWorkflow: notFaked,
    transferVariable: notFaked,
    transferDataTable: notFaked,
    transferCredential: notFaked,
    checkDestination: ({ projectId }) =>
      fake.destinations.has(projectId) ? Promise.resolve({}) : Promise.reject(notFound(projectId)),
    listClosedProjects: ({ knownVersion }) => {
      if (fake.isAway) return Promise.reject(new Unavailable('The fake is away.'));
      const projectIds = [...fake.closed].sort();
      const version = projectIds.join(' ');
      return Promise.resolve(
        version !== '' && version === knownVersion
          ? { version, projectIds: [], unchanged: true }
          : { version, projectIds, unchanged: false },
      );
    },
  };
  const none = {};
  const service = bindService(ProjectServiceService, handlers, {
    listProjects: none,
    getProject: none,
    createProject: none,
    renameProject: none,
    deleteProject: none,
    listProjectMembers: none,
    putProjectMember: none,
    removeProjectMember: none,
    transferWorkflow: none,
    transferVariable: none,
    transferDataTable: none,
    transferCredential: none,
    checkDestination: { services: ['workflows', 'executions'] },
    listClosedProjects: { services: ['workflows', 'executions'] },
  });
  const fake: FakeProjects = { service, closed: new Set(), destinations: new Set(), isAway: false };
  return fake;
};
