import { mayChange, type Principal } from '../auth';
import { Forbidden } from '../errors';

/**
 * Checks that a project or user may own new objects.
 * @throws ProjectNotFound from the credentials service; Unavailable
 */
export type CheckDestination = (ownerId: string) => Promise<void>;

/**
 * Chooses the owner of a new object.
 * @param projectId a project or user; undefined: the creating user
 * @returns the id of the owner
 * @throws Forbidden if the user may not change that owner's objects; ProjectNotFound, Unavailable
 */
export type ChooseOwner = (user: Principal, projectId: string | undefined) => Promise<string>;

/**
 * Creates the function. Owners and admins may pass any id, so its existence is checked; a concurrently deleted project
 * may leave the new object behind, which owners and admins can then move.
 */
export const createChooseOwner = (checkDestination: CheckDestination): ChooseOwner =>
  async function chooseOwner(user, projectId = user.userId) {
    if (projectId === user.userId) return projectId;
    await checkDestination(projectId);
    if (!mayChange(user, projectId))
      throw new Forbidden('You may only create objects in your own projects, as their editor or admin.', {
        projectId: projectId.slice(0, 100),
      });
    return projectId;
  };
