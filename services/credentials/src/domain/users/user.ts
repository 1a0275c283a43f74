import type { Role } from '@weft/service-kit/auth';

/** An account of a person or a program. */
export interface User {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** A user with the hash of the password. */
export interface StoredUser extends User {
  /** Format of hashPassword. */
  readonly passwordHash: string;
}

/** Store of users. */
export interface UserStore {
  /** @returns false if the email is taken, or the user is a second owner. */
  readonly insert: (user: StoredUser) => Promise<boolean>;
  readonly findById: (id: string) => Promise<User | undefined>;
  readonly findByIds: (ids: readonly string[]) => Promise<readonly User[]>;
  readonly findByEmail: (email: string) => Promise<StoredUser | undefined>;
  readonly findOwner: () => Promise<User | undefined>;
  /** Newest first, those older than `afterId`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<readonly User[]>;
}
