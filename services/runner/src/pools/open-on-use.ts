/** Processes that work for owners. */
export interface Pool<Job, Answer> {
  readonly of: (owner: string) => { readonly run: (job: Job) => Promise<Answer> };
  /** Resolves when it is ready. */
  readonly ready: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A pool that is opened by its first job, or when readiness is checked: most runs of a process never need it. */
export const openOnUse = <Job, Answer>(open: () => Pool<Job, Answer>): Pool<Job, Answer> => {
  let opened: Pool<Job, Answer> | undefined;
  const pool = (): Pool<Job, Answer> => (opened ??= open());
  return {
    of: (owner) => ({ run: (job) => pool().of(owner).run(job) }),
    ready: () => pool().ready(),
    close: async () => opened?.close(),
  };
};
