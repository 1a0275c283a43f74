import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';

/** Asks whether a project or user may own something new. @throws ProjectNotFound, as credentials say it; Unavailable */
export type CheckDestination = (ownerId: string) => Promise<void>;

/**
 * Decides whom something new belongs to.
 * @param projectId a project, or a user; undefined: the user who makes it
 * @returns the id that stands as owner
 * @throws Forbidden for what the user may not change; the error of a project that is not found, Unavailable
 */
export type ChooseOwner = (user: Principal, projectId: string | undefined) => Promise<string>;

/**
 * Creates the rule. Owners and admins may name any id, so that it exists has to be asked; a project that is deleted at
 * the same moment may leave what is made behind, which owners and admins then move.
 */
export const createChooseOwner = (checkDestination: CheckDestination): ChooseOwner =>
  async function chooseOwner(user, projectId = user.userId) {
    if (projectId === user.userId) return projectId;
    await checkDestination(projectId);
    if (!mayChange(user, projectId))
      throw new Forbidden('You may create things in your own projects alone, as editor or admin of them.', {
        projectId: projectId.slice(0, 100),
      });
    return projectId;
  };
