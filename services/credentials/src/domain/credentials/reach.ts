import type { Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { managesAll } from '../projects/projects';
import { projectsToAdminister, type UserStore } from '../ownership/user';
import type { Credential, CredentialStore } from '../ownership/credential';

/** The credentials that a user manages. */
export interface Reach {
  /** Those of the projects that the user is an admin of; undefined: all of them, for owners and admins. */
  readonly projectIds: ReadonlySet<string> | undefined;
}

/** Finds out what a user manages, by role and memberships as they are stored now. @throws Forbidden for nothing */
export type FindReach = (user: Principal) => Promise<Reach>;

/** The part of a store that a user manages: everything else is refused, and left out of pages. */
export type ReachedCredentials = Pick<CredentialStore, 'insert' | 'findById' | 'page' | 'replace' | 'remove'>;

/** Creates the lookup. What acts for a project, as its runs do, is not a user, and manages nothing. */
export const createFindReach = (users: Pick<UserStore, 'findById'>): FindReach =>
  async function findReach(actor) {
    const user = await users.findById(actor.userId);
    if (user !== undefined && user.lockedAt === undefined) {
      if (managesAll(actor) && managesAll(user)) return { projectIds: undefined };
      const projectIds = new Set(projectsToAdminister(user));
      if (projectIds.size > 0) return { projectIds };
    }
    throw new Forbidden('Only owners and admins of this instance, and admins of projects, manage credentials.');
  };

/** True if what this project or user owns is within a reach. */
export const isReached = ({ projectIds }: Reach, ownerId: string): boolean =>
  projectIds === undefined || projectIds.has(ownerId);

/**
 * The only way to the store for what users do with credentials, so that no use case can forget the check. What exists
 * beyond the reach is refused as Forbidden: workflows, which everybody reads, name its ids anyway.
 */
export const withinReach = (store: ReachedCredentials, reach: Reach): ReachedCredentials => {
  const { projectIds } = reach;
  if (projectIds === undefined) return store;
  const demand = ({ id, ownerId }: Pick<Credential, 'id' | 'ownerId'>): void => {
    if (!isReached(reach, ownerId))
      throw new Forbidden('Admins of projects manage the credentials of these alone.', { credentialId: id });
  };
  return {
    insert: (credential) => {
      demand(credential);
      return store.insert(credential);
    },
    findById: async (id) => {
      const found = await store.findById(id);
      if (found !== undefined) demand(found);
      return found;
    },
    page: (afterId, limit, ownerIds = [...projectIds]) =>
      store.page(
        afterId,
        limit,
        ownerIds.filter((ownerId) => projectIds.has(ownerId)),
      ),
    replace: (credential, revision) => {
      demand(credential);
      return store.replace(credential, revision);
    },
    remove: (credential) => {
      demand(credential);
      return store.remove(credential);
    },
  };
};
