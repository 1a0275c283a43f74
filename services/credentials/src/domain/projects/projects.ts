import type { Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { ProjectNotFound, TooManyProjects } from '../errors';
import { membershipOf, type UserStore } from '../users/user';
import { MAX_PROJECTS, type Project, type ProjectStore } from './project';

/** Dependencies of the use cases. */
export interface ProjectPorts {
  readonly projects: ProjectStore;
  readonly users: Pick<UserStore, 'findById'>;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Projects as such; members and deletion are apart. */
export interface ProjectUseCases {
  /** @throws InvalidRequest */
  readonly listProjects: (params: PageParams) => Promise<Page<Project>>;
  /** @throws ProjectNotFound */
  readonly getProject: (id: string) => Promise<Project>;
  /** @throws InvalidRequest, TooManyProjects */
  readonly createProject: (actor: Principal, name: string) => Promise<Project>;
  /** @throws InvalidRequest, ProjectNotFound, Forbidden */
  readonly renameProject: (actor: Principal, id: string, name: string) => Promise<Project>;
}

const MAX_NAME_LENGTH = 100;

const readName = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed !== '' && [...trimmed].length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return trimmed;
  throw new InvalidRequest('The name of the project is not valid.', [
    { field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters, without control characters.` },
  ]);
};

/** Reads a project, also one that is being deleted. @throws ProjectNotFound */
export const findProject = async (projects: Pick<ProjectStore, 'findById'>, id: string): Promise<Project> => {
  const found = isUuid(id) ? await projects.findById(id) : undefined;
  if (found === undefined) throw new ProjectNotFound(id);
  return found;
};

/** True for those who manage every project. */
export const managesAll = ({ role }: Pick<Principal, 'role'>): boolean => role === 'owner' || role === 'admin';

/**
 * Reads a project that the actor manages: as its admin, by the membership that is stored now, or as owner or admin of
 * the instance.
 * @throws ProjectNotFound, also for one that is being deleted; Forbidden
 */
export const findManagedProject = async (
  { projects, users }: Pick<ProjectPorts, 'projects' | 'users'>,
  actor: Principal,
  id: string,
): Promise<Project> => {
  const project = await findProject(projects, id);
  if (project.deletingAt !== undefined) throw new ProjectNotFound(id);
  if (managesAll(actor) || membershipOf(await users.findById(actor.userId), id)?.role === 'admin') return project;
  throw new Forbidden('Only its admins, and owners and admins of this instance, may manage this project.', {
    projectId: id,
  });
};

/** The use cases over their ports. */
export const projectUseCases = (ports: ProjectPorts): ProjectUseCases => {
  const { projects, recordAudit, newId, clock } = ports;
  return {
    listProjects: (params) => readPage({ read: projects.page, idOf: ({ id }) => id }, params),
    getProject: (id) => findProject(projects, id),
    createProject: async (actor, name) => {
      const project: Project = { id: newId(), name: readName(name), createdBy: actor.userId, createdAt: clock() };
      if ((await projects.count()) >= MAX_PROJECTS) throw new TooManyProjects(MAX_PROJECTS);
      await projects.insert(project);
      await recordAudit({ action: 'project.create', actor: actor.userId, about: { projectId: project.id } });
      return project;
    },
    renameProject: async (actor, id, name) => {
      const read = readName(name);
      const project = await findManagedProject(ports, actor, id);
      if (!(await projects.rename(id, read))) throw new ProjectNotFound(id);
      await recordAudit({ action: 'project.update', actor: actor.userId, about: { projectId: id } });
      return { ...project, name: read };
    },
  };
};
