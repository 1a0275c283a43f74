import type { Role } from '@weft/service-kit/auth';
import type { UserStore } from './user';
import type { ProjectStore } from './project';

/** Whoever owns a workflow or a credential. */
export interface ResourceOwner {
  readonly id: string;
  /** Of a user; absent for a project, which has the rights over its own things alone. */
  readonly role?: Role;
}

/** Finds a user or project by the id that stands as owner; undefined if it does not exist any more. */
export type FindOwner = (id: string) => Promise<ResourceOwner | undefined>;

/** Creates the lookup. Most owners are users, so they are asked for first. */
export const createFindOwner = (
  users: Pick<UserStore, 'findById'>,
  projects: Pick<ProjectStore, 'findById'>,
): FindOwner =>
  async function findOwner(id) {
    const user = await users.findById(id);
    if (user !== undefined) return { id: user.id, role: user.role };
    const project = await projects.findById(id);
    return project === undefined ? undefined : { id: project.id };
  };
