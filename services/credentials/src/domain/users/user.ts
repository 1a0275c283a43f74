import type { Role } from '@weft/service-kit/auth';

/** An account of a person or a program. */
export interface User {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** As the person gave it; absent if not. */
  readonly name?: string;
  readonly createdAt: Date;
  /** Set while the user is locked: keys, sessions and password are refused. */
  readonly lockedAt?: Date;
}

/** A user with the hash of the password. */
export interface StoredUser extends User {
  /** Format of hashPassword. */
  readonly passwordHash: string;
}

/** Change of a user; `lockedAt: null` unlocks. */
export interface UserChange {
  readonly role?: Role;
  readonly lockedAt?: Date | null;
}

/** Store of users. */
export interface UserStore {
  /** @returns false if the email is taken. */
  readonly insert: (user: StoredUser) => Promise<boolean>;
  /** Inserts the first owner. @returns false if the email is taken, or there was one already. */
  readonly insertFirstOwner: (user: StoredUser) => Promise<boolean>;
  readonly findById: (id: string) => Promise<User | undefined>;
  readonly findByIds: (ids: readonly string[]) => Promise<readonly User[]>;
  readonly findByEmail: (email: string) => Promise<StoredUser | undefined>;
  /** Any owner, active or locked. */
  readonly findOwner: () => Promise<User | undefined>;
  /** Newest first, those older than `afterId`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<readonly User[]>;
  /**
   * Marks an active owner as leaving: others no longer count on it as an owner who stays. Replaces an earlier mark.
   * @returns whether it was an active owner
   */
  readonly markLeaving: (id: string, mark: string) => Promise<boolean>;
  readonly unmarkLeaving: (id: string, mark: string) => Promise<void>;
  /** True if an active owner other than this one stays. */
  readonly hasStayingOwner: (exceptId: string) => Promise<boolean>;
  /**
   * Changes a user who still has the role and lock of `seen`, and removes the mark.
   * @param mark that the user must still have; undefined: whichever it has
   * @returns whether it was so
   */
  readonly change: (seen: User, change: UserChange, mark: string | undefined) => Promise<boolean>;
  /** Sets the password of a user who is not locked. @returns whether there was one */
  readonly setPassword: (id: string, passwordHash: string) => Promise<boolean>;
  /** Removes a user who is still locked as `seen`. @returns whether it was so */
  readonly remove: (seen: User) => Promise<boolean>;
}

/** True if the user is an owner who can sign in. */
export const isActiveOwner = ({ role, lockedAt }: User): boolean => role === 'owner' && lockedAt === undefined;
