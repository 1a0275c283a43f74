import type { UserStore } from './user';
import type { ProjectStore } from './project';

/** The owner of a workflow or credential. Its role, if it is a user, gives its workflows no rights. */
export interface ResourceOwner {
  readonly id: string;
  readonly isProject: boolean;
  /** The name for messages. */
  readonly label: string;
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
    if (user !== undefined) return { id: user.id, isProject: false, label: user.name ?? user.email };
    const project = await projects.findById(id);
    return project === undefined
      ? undefined
      : { id: project.id, isProject: true, label: `the project "${project.name}"` };
  };
