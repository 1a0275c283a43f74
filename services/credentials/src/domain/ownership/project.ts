/** Joint ownership of several users. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** Its creator. */
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Set by a deletion before anything moves: from then on it gets neither members nor objects. */
  readonly deletingAt?: Date;
}

/** Store of projects. Memberships are stored with the users, so that no call needs a separate query. */
export interface ProjectStore {
  readonly insert: (project: Project) => Promise<void>;
  readonly findById: (id: string) => Promise<Project | undefined>;
  /** The existing ones among the ids, newest first. */
  readonly findByIds: (ids: readonly string[]) => Promise<readonly Project[]>;
  /** Newest first, older than `afterId`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<readonly Project[]>;
  readonly count: () => Promise<number>;
  /** @returns whether it exists and is not being deleted */
  readonly rename: (id: string, name: string) => Promise<boolean>;
  /** Marks it as being deleted; a repetition keeps the first mark. */
  readonly markDeleting: (id: string, at: Date) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** Maximum number of projects of an instance. */
export const MAX_PROJECTS = 1_000;

/** Maximum number of members of a project. Concurrent additions may exceed it by their number. */
export const MAX_MEMBERS = 50;

/** Maximum number of projects of a user: all of them travel with each of the user's calls. */
export const MAX_MEMBERSHIPS = 50;
