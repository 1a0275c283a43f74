import { trusted } from 'mongoose';

const NEWEST_FIRST = { _id: -1 } as const;

/** Greater than every id: the first page too needs a condition on `_id` to use the index. */
const AFTER_ALL_IDS = 'g';

const olderThan = (afterId = AFTER_ALL_IDS) => ({ _id: trusted({ $lt: afterId }) });

/**
 * Every query that does not use a single `_id`. Each names its index; a test runs them all with explain. Those with a
 * `hint` also name it to the store: planners that estimate the number of matches scan along `_id`, where an index finds
 * the few matching documents.
 */
export const queries = {
  /** Index `_id`. */
  credentialPage: (afterId: string | undefined) => ({
    collection: 'credentials',
    filter: olderThan(afterId),
    sort: NEWEST_FIRST,
    hint: '_id_',
  }),
  /** Index `ownerId, _id`. A single owner is compared by equality, so that its page is read in index order. */
  credentialPageOf: (ownerIds: readonly string[], afterId: string | undefined) => ({
    collection: 'credentials',
    filter: {
      ownerId: ownerIds.length === 1 ? (ownerIds[0] ?? '') : trusted({ $in: [...ownerIds] }),
      ...olderThan(afterId),
    },
    sort: NEWEST_FIRST,
    hint: 'owner_id',
  }),
  /** Index `grants.projectId, _id`. Not every store reads an array's index in order, so the result may be sorted. */
  credentialsGrantedTo: (projectId: string, afterId: string | undefined) => ({
    collection: 'credentials',
    filter: { 'grants.projectId': projectId, ...olderThan(afterId) },
    sort: NEWEST_FIRST,
    hint: 'granted_id',
  }),
  /** Index `ownerId, name`. */
  credentialsNamed: (ownerId: string, names: readonly string[], types: readonly string[]) => ({
    collection: 'credentials',
    filter: { ownerId, name: trusted({ $in: [...names] }), type: trusted({ $in: [...types] }) },
    hint: 'owner_name',
  }),
  /** Index `grants.projectId, _id`. */
  grantedNamed: (projectId: string, names: readonly string[], types: readonly string[]) => ({
    collection: 'credentials',
    filter: {
      'grants.projectId': projectId,
      name: trusted({ $in: [...names] }),
      type: trusted({ $in: [...types] }),
    },
    hint: 'granted_id',
  }),
  /** Index `grants.projectId, _id`. */
  grantsTo: (projectId: string) => ({
    collection: 'credentials',
    filter: { 'grants.projectId': projectId },
    hint: 'granted_id',
  }),
  /** Index `sealed.kid, _id`. */
  credentialsSealedBy: (kid: string, afterId: string | undefined) => ({
    collection: 'credentials',
    filter: { 'sealed.kid': kid, _id: trusted({ $gt: afterId ?? '' }) },
    sort: { _id: 1 } as const,
    hint: 'sealedBy',
  }),
  /** Partial index `lost`. */
  credentialsLost: () => ({
    collection: 'credentials',
    filter: { 'oauth2.lostAt': trusted({ $exists: true }) },
    hint: 'lost',
  }),
  /** Index `_id`. */
  userPage: (afterId: string | undefined) => ({ collection: 'users', filter: olderThan(afterId), sort: NEWEST_FIRST }),
  /** Index `email`. */
  userByEmail: (email: string) => ({ collection: 'users', filter: { email } }),
  /** Partial index `owners`. */
  owners: () => ({ collection: 'users', filter: { role: 'owner' } as const, hint: 'owners' }),
  /** Index `members`. */
  membersOfProject: (projectId: string) => ({ collection: 'users', filter: { 'memberships.projectId': projectId } }),
  /** Index `_id`. */
  projectsById: (ids: readonly string[]) => ({
    collection: 'projects',
    filter: { _id: trusted({ $in: [...ids] }) },
    sort: NEWEST_FIRST,
  }),
  /** Index `_id`. */
  projectPage: (afterId: string | undefined) => ({
    collection: 'projects',
    filter: olderThan(afterId),
    sort: NEWEST_FIRST,
  }),
  /** Index `ownerId, _id`. */
  credentialsOfUser: (ownerId: string) => ({ collection: 'credentials', filter: { ownerId }, hint: 'owner_id' }),
  /** Index `userId, _id`. */
  keysOfUser: (userId: string) => ({ collection: 'apiKeys', filter: { userId }, sort: NEWEST_FIRST }),
  /** Index `hash`. */
  keysByHash: (hashes: readonly string[]) => ({ collection: 'apiKeys', filter: { hash: trusted({ $in: hashes }) } }),
  /** Index `expireAt`; there are few enough to be sorted afterwards. */
  openInvitations: (now: Date) => ({
    collection: 'invitations',
    filter: { expireAt: trusted({ $gt: now }) },
    sort: NEWEST_FIRST,
  }),
  /** Index `tokenHash`. */
  invitationByHash: (tokenHash: string) => ({ collection: 'invitations', filter: { tokenHash } }),
  /** Index `email`. */
  invitationsOfEmail: (email: string) => ({ collection: 'invitations', filter: { email } }),
  /** Index `userId, issuer`. */
  identitiesOfUser: (userId: string) => ({ collection: 'identities', filter: { userId } }),
  /** Index `userId, createdAt`. */
  sessionsOfUser: (userId: string) => ({
    collection: 'sessions',
    filter: { userId },
    sort: { createdAt: -1 } as const,
  }),
  /** Index `kid`. */
  keysByKid: (kid: string) => ({ collection: 'apiKeys', filter: { kid } }),
  /** Partial index `onlyEnvironmentKey`. */
  environmentKey: () => ({
    collection: 'apiKeys',
    filter: { source: 'environment' } as const,
    hint: 'onlyEnvironmentKey',
  }),
};
