import type { Role } from '@weft/service-kit/auth';

/** A person or a program that may call. */
export interface User {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  readonly createdAt: Date;
}

/** A user with what proves the password. */
export interface StoredUser extends User {
  /** As hashPassword makes it. */
  readonly passwordHash: string;
}

/** Where users are kept. */
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
