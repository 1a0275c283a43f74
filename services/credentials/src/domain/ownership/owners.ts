import type { Role } from '@weft/service-kit/auth';
import type { UserStore } from './user';
import type { ProjectStore } from './project';

/** The owner of a workflow or credential. */
export interface ResourceOwner {
  readonly id: string;
  /** Role of a user; absent for a project, which only has permissions over its own objects. */
  readonly role?: Role;
}

/** Finds the user or project with an owner id; undefined if it no longer exists. */
export type FindOwner = (id: string) => Promise<ResourceOwner | undefined>;

/** Creates the lookup. Most owners are users, so they are looked up first. */
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
