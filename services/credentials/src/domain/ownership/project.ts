/** What several users own together. */
export interface Project {
  readonly id: string;
  readonly name: string;
  /** The user who made it. */
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Set by a deletion before anything moves: from then on it gets neither members nor things. */
  readonly deletingAt?: Date;
}

/** Store of projects. Who is a member is stored with the user, so that no call asks for it separately. */
export interface ProjectStore {
  readonly insert: (project: Project) => Promise<void>;
  readonly findById: (id: string) => Promise<Project | undefined>;
  /** Newest first, those older than `afterId`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<readonly Project[]>;
  readonly count: () => Promise<number>;
  /** @returns whether there is one that is not being deleted */
  readonly rename: (id: string, name: string) => Promise<boolean>;
  /** Marks it as being deleted; a repetition keeps the first mark. */
  readonly markDeleting: (id: string, at: Date) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

/** Projects of an instance. */
export const MAX_PROJECTS = 1_000;

/** Members of a project. Users who are added at the same moment may exceed it by their number. */
export const MAX_MEMBERS = 50;

/** Projects of a user: all of them travel with each of the user's calls. */
export const MAX_MEMBERSHIPS = 50;
