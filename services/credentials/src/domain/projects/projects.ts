import type { Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { ProjectNotFound, TooManyProjects } from '../errors';
import { membershipOf, type UserStore } from '../ownership/user';
import { createClosing, type ClosedProjectPorts } from './closed-projects';
import { MAX_PROJECTS, type Project, type ProjectStore } from '../ownership/project';

export interface ProjectPorts extends ClosedProjectPorts {
  readonly projects: ProjectStore;
  readonly users: Pick<UserStore, 'findById'>;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/** A project, and whether only its members can read what it owns. */
export interface ShownProject extends Project {
  readonly closed: boolean;
}

/** A project to be created. */
export interface NewProject {
  readonly name: string;
  readonly closed: boolean;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

export interface ProjectChange {
  readonly name: string;
  /** Undefined: unchanged. */
  readonly closed: boolean | undefined;
}

/** Projects themselves; members and deletion are separate. */
export interface ProjectUseCases {
  /** @throws InvalidRequest */
  readonly listProjects: (params: PageParams) => Promise<Page<ShownProject>>;
  /** @throws ProjectNotFound */
  readonly getProject: (id: string) => Promise<ShownProject>;
  /** Creating a closed project returns once it is closed everywhere. @throws InvalidRequest, TooManyProjects */
  readonly createProject: (actor: Principal, created: NewProject) => Promise<ShownProject>;
  /** Closing returns once it has taken effect everywhere. @throws InvalidRequest, ProjectNotFound, Forbidden */
  readonly renameProject: (actor: Principal, id: string, change: ProjectChange) => Promise<ShownProject>;
}

const MAX_NAME_LENGTH = 100;

const readName = (name: string): string => {
  const trimmed = name.trim();
  if (trimmed !== '' && [...trimmed].length <= MAX_NAME_LENGTH && !/\p{Cc}/u.test(name)) return trimmed;
  throw new InvalidRequest('The name of the project is not valid.', [
    { field: 'name', message: `must have 1 to ${MAX_NAME_LENGTH} characters, without control characters.` },
  ]);
};

/** Reads a project, even if it is being deleted. @throws ProjectNotFound */
export const findProject = async (projects: Pick<ProjectStore, 'findById'>, id: string): Promise<Project> => {
  const found = isUuid(id) ? await projects.findById(id) : undefined;
  if (found === undefined) throw new ProjectNotFound(id);
  return found;
};

/** True for users who manage every project. */
export const managesAll = ({ role }: Pick<Principal, 'role'>): boolean => role === 'owner' || role === 'admin';

/**
 * Reads a project that the actor manages: as its admin, by the currently stored membership, or as owner or admin of the
 * instance.
 * @throws ProjectNotFound, also if it is being deleted; Forbidden
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

export const projectUseCases = (ports: ProjectPorts): ProjectUseCases => {
  const { projects, recordAudit, newId, clock } = ports;
  const { isClosed, closedAmong, setClosed, untilKnown } = createClosing(ports);
  return {
    listProjects: async (params) => {
      const { items, nextCursor } = await readPage({ read: projects.page, idOf: ({ id }) => id }, params);
      const closed = await closedAmong(items.map(({ id }) => id));
      return { items: items.map((project) => ({ ...project, closed: closed.has(project.id) })), nextCursor };
    },
    getProject: async (id) => ({ ...(await findProject(projects, id)), closed: await isClosed(id) }),
    createProject: async (actor, { name, closed, id = newId() }) => {
      const project: Project = { id, name: readName(name), createdBy: actor.userId, createdAt: clock() };
      if ((await projects.count()) >= MAX_PROJECTS) throw new TooManyProjects(MAX_PROJECTS);
      // Close it before anyone can find it and put objects into it.
      if (closed) await setClosed(project.id, true);
      await projects.insert(project);
      const about = { projectId: project.id, ...(closed ? { closed: 'true' } : {}) };
      await recordAudit({ action: 'project.create', actor: actor.userId, about });
      if (closed) await untilKnown();
      return { ...project, closed };
    },
    renameProject: async (actor, id, { name, closed }) => {
      const read = readName(name);
      const project = await findManagedProject(ports, actor, id);
      const wasClosed = await isClosed(id);
      if (!(await projects.rename(id, read))) throw new ProjectNotFound(id);
      const isChanged = closed !== undefined && closed !== wasClosed;
      if (isChanged) await setClosed(id, closed);
      const about = { projectId: id, ...(isChanged ? { closed: `${closed}` } : {}) };
      await recordAudit({ action: 'project.update', actor: actor.userId, about });
      // Even if it was closed before, because that request may not have waited.
      if (closed === true) await untilKnown();
      return { ...project, name: read, closed: closed ?? wasClosed };
    },
  };
};
