/** A workflow that waits for one call of a webhook of a draft, or has got it. */
export interface Listening {
  readonly workflowId: string;
  /** Differs for every start. */
  readonly id: string;
  /** Owner of the workflow when it was started: after a transfer nothing comes of it. */
  readonly ownerId: string;
  /** The version that the call runs. */
  readonly versionId: string;
  /** Name of the webhook node. */
  readonly node: string;
  readonly methods: readonly string[];
  /** Below `/webhook-test/`, with parameters as `:name`. */
  readonly path: string;
  readonly until: Date;
  /** The execution of the call; absent: it still waits. */
  readonly executionId?: string;
}

/** Store of listenings, one for each workflow. Every method throws Unavailable if the database cannot be reached. */
export interface ListeningStore {
  readonly find: (workflowId: string) => Promise<Listening | undefined>;
  /** Those that wait at one of the route keys, and have not expired. */
  readonly findWaiting: (keys: readonly string[], now: Date) => Promise<Listening[]>;
  /** One of another owner, waiting at a route that some request reaches as well as one of these keys. */
  readonly findOverlap: (keys: readonly string[], ownerId: string, now: Date) => Promise<Listening | undefined>;
  /** Number of an owner's workflows, except one, that wait. */
  readonly countWaiting: (ownerId: string, exceptWorkflowId: string, now: Date) => Promise<number>;
  /**
   * Stores a listening in place of the earlier one of its workflow, until an hour after its end.
   * @returns `taken` if another workflow waits at one of its routes
   */
  readonly put: (listening: Listening, now: Date) => Promise<'done' | 'taken'>;
  /** Records the execution of its call. False if it has another one, or does not wait any more. */
  readonly take: (workflowId: string, id: string, executionId: string, now: Date) => Promise<boolean>;
  /** Removes the listening of a workflow; with an id only that one. */
  readonly remove: (workflowId: string, id?: string) => Promise<void>;
  readonly removeAll: (workflowId: string) => Promise<void>;
}
