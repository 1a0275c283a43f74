/** Processes that work for owners. */
export interface Pool<Job, Answer> {
  readonly of: (owner: string) => { readonly run: (job: Job) => Promise<Answer> };
  /** Resolves when it can work. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A pool that is opened by its first job, or when it is to be ready: most runs of a process may never need it. */
export const openOnUse = <Job, Answer>(open: () => Pool<Job, Answer>): Pool<Job, Answer> => {
  let opened: Pool<Job, Answer> | undefined;
  const pool = (): Pool<Job, Answer> => (opened ??= open());
  return {
    of: (owner) => ({ run: (job) => pool().of(owner).run(job) }),
    ready: () => pool().ready(),
    close: async () => opened?.close(),
  };
};
