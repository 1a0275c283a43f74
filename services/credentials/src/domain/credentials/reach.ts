import type { Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { managesAll } from '../projects/projects';
import { projectsToAdminister, type UserStore } from '../ownership/user';
import type { Credential, CredentialStore } from '../ownership/credential';

/** The credentials that a user manages. */
export interface Reach {
  /** The projects that the user is an admin of; undefined: all credentials, for owners and admins of the instance. */
  readonly projectIds: ReadonlySet<string> | undefined;
}

/** Determines what a user manages, from the current role and memberships. @throws Forbidden if it is nothing */
export type FindReach = (user: Principal) => Promise<Reach>;

/** The part of a store limited to a reach: credentials beyond it are refused, and left out of pages. */
export type ReachedCredentials = Pick<CredentialStore, 'insert' | 'findById' | 'page' | 'replace' | 'remove'>;

/** Creates the lookup. Runs that act for a project are not users, and manage nothing. */
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

/** True if credentials of this project or user are within a reach. */
export const isReached = ({ projectIds }: Reach, ownerId: string): boolean =>
  projectIds === undefined || projectIds.has(ownerId);

/**
 * The only access of users' operations to the store, so that no use case can forget the check. Existing credentials
 * beyond the reach are refused as Forbidden, because workflows, which everyone can read, contain their ids anyway.
 */
export const withinReach = (store: ReachedCredentials, reach: Reach): ReachedCredentials => {
  const { projectIds } = reach;
  if (projectIds === undefined) return store;
  const demand = ({ id, ownerId }: Pick<Credential, 'id' | 'ownerId'>): void => {
    if (!isReached(reach, ownerId))
      throw new Forbidden('Admins of projects can only manage the credentials of these projects.', {
        credentialId: id,
      });
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
    remove: (credential, isUnchanged) => {
      demand(credential);
      return store.remove(credential, isUnchanged);
    },
  };
};
