import type { Role } from '@weft/service-kit/auth';

/** Role of a member in a project, limited by the role of the user. */
export type ProjectRole = Exclude<Role, 'owner'>;

/** A user's membership in a project. */
export interface Membership {
  readonly projectId: string;
  readonly role: ProjectRole;
}

/** An account of a person or a program. */
export interface User {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** As entered; absent if not given. */
  readonly name?: string;
  readonly createdAt: Date;
  /** Set while the user is locked: keys, sessions and password are refused. */
  readonly lockedAt?: Date;
  /** Absent: none. */
  readonly memberships?: readonly Membership[];
}

/** A user with the hash of the password. */
export interface StoredUser extends User {
  /** In the format of hashPassword. */
  readonly passwordHash: string;
}

/** Change of a user; `lockedAt: null` unlocks. */
export interface UserChange {
  readonly role?: Role;
  readonly lockedAt?: Date | null;
}

/** Store of users. */
export interface UserStore {
  /** @returns false if the email is taken */
  readonly insert: (user: StoredUser) => Promise<boolean>;
  /** Inserts the first owner. @returns false if the email is taken, or an owner already exists */
  readonly insertFirstOwner: (user: StoredUser) => Promise<boolean>;
  readonly findById: (id: string) => Promise<User | undefined>;
  readonly findByIds: (ids: readonly string[]) => Promise<readonly User[]>;
  readonly findByEmail: (email: string) => Promise<StoredUser | undefined>;
  /** Any owner, active or locked. */
  readonly findOwner: () => Promise<User | undefined>;
  /** Newest first, older than `afterId`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<readonly User[]>;
  /**
   * Marks an active owner as leaving: others no longer count on it as a remaining owner. Replaces an earlier mark.
   * @returns whether it was an active owner
   */
  readonly markLeaving: (id: string, mark: string) => Promise<boolean>;
  readonly unmarkLeaving: (id: string, mark: string) => Promise<void>;
  /** True if an active owner other than this one remains. */
  readonly hasStayingOwner: (exceptId: string) => Promise<boolean>;
  /**
   * Changes a user who still has the role and lock of `seen`, and removes the mark.
   * @param mark that the user must still have; undefined: any
   * @returns whether it applied
   */
  readonly change: (seen: User, change: UserChange, mark: string | undefined) => Promise<boolean>;
  /** Sets the password of a user who is not locked. @returns whether there was one */
  readonly setPassword: (id: string, passwordHash: string) => Promise<boolean>;
  /**
   * Makes a user a member of a project, or changes the role of a member.
   * @returns `full` if the user has reached the maximum number of projects, `gone` if the user does not exist
   */
  readonly putMembership: (id: string, membership: Membership) => Promise<'done' | 'full' | 'gone'>;
  /** @returns whether the user was a member */
  readonly removeMembership: (id: string, projectId: string) => Promise<boolean>;
  readonly findMembers: (projectId: string) => Promise<readonly User[]>;
  readonly countMembers: (projectId: string) => Promise<number>;
  /** Removes all members of a project. */
  readonly removeMembers: (projectId: string) => Promise<void>;
  /** Removes a user whose lock is still that of `seen`. @returns whether it applied */
  readonly remove: (seen: User) => Promise<boolean>;
}

/** The membership of a user in a project; undefined if there is none. */
export const membershipOf = (user: User | undefined, projectId: string): Membership | undefined =>
  user?.memberships?.find((membership) => membership.projectId === projectId);

/** Ids of the projects whose contents a user may change. */
export const projectsToEdit = ({ memberships = [] }: Pick<User, 'memberships'>): readonly string[] =>
  memberships.filter(({ role }) => role !== 'viewer').map(({ projectId }) => projectId);

/** Ids of the projects that a user may only read as a member. */
export const projectsToRead = ({ memberships = [] }: Pick<User, 'memberships'>): readonly string[] =>
  memberships.filter(({ role }) => role === 'viewer').map(({ projectId }) => projectId);

/** Ids of the projects that a user is an admin of; none for viewers of the instance, whose role is the upper limit. */
export const projectsToAdminister = ({ role: own, memberships = [] }: Pick<User, 'role' | 'memberships'>) =>
  own === 'viewer' ? [] : memberships.filter(({ role }) => role === 'admin').map(({ projectId }) => projectId);

/** True if the user is an owner who can sign in. */
export const isActiveOwner = ({ role, lockedAt }: User): boolean => role === 'owner' && lockedAt === undefined;
