import type { RouteEntry, ScheduleEntry, Version, Workflow, WorkflowSummary } from './workflow';

/**
 * How a write ended: `stale` if the workflow is not what the writer saw, `route-taken` if another active workflow has
 * one of the routes. Nothing is stored then.
 */
export type WriteOutcome = 'done' | 'stale' | 'route-taken';

/** What is asked of a workflow before it is started. */
export interface WorkflowHead {
  readonly id: string;
  readonly ownerId: string;
  readonly versionId: string;
}

/** An active workflow that listens to at least one of the keys asked for. */
export interface Listener {
  readonly workflowId: string;
  readonly ownerId: string;
  readonly versionId: string;
  readonly routes: readonly RouteEntry[];
}

/**
 * Where workflows are remembered. Deleted ones are never found. Every method throws Unavailable if the store cannot be
 * reached.
 */
export interface WorkflowStore {
  /** Newest first, those older than `afterId` if it is given; at most `limit`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<WorkflowSummary[]>;
  /** Those of the ids that exist, in no order. */
  readonly summaries: (ids: readonly string[]) => Promise<WorkflowSummary[]>;
  readonly find: (id: string) => Promise<Workflow | undefined>;
  readonly findHeads: (ids: readonly string[]) => Promise<WorkflowHead[]>;
  readonly insert: (workflow: Workflow) => Promise<Exclude<WriteOutcome, 'stale'>>;
  /** Compare-and-set: writes `next` if version and activation are still those of `seen`. */
  readonly update: (seen: Workflow, next: Workflow) => Promise<WriteOutcome>;
  readonly findListeners: (keys: readonly string[]) => Promise<Listener[]>;
}

/** Where versions are remembered. */
export interface VersionStore {
  /** It is reviewed first at `reviewAt`, whatever becomes of it until then. */
  readonly insert: (version: Version, reviewAt: Date) => Promise<void>;
  /** Those of the ids that exist, in no order. */
  readonly find: (ids: readonly string[]) => Promise<Version[]>;
  /** Sizes in bytes of those of the ids that exist. */
  readonly sizes: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** The same for those who run them: what was found unused is needed again, and stays until `reviewAt` at least. */
  readonly findForRuns: (ids: readonly string[], reviewAt: Date) => Promise<Version[]>;
  /** Has it looked at then whether anything still needs a version. */
  readonly review: (id: string, reviewAt: Date) => Promise<void>;
  /**
   * Puts the review of a version that is used off until `reviewAt`, or up to `slackMs` before it. False if there is no
   * such version.
   */
  readonly keepUsed: (id: string, reviewAt: Date, slackMs: number) => Promise<boolean>;
  /** Takes back a version that no workflow ever showed. */
  readonly discard: (id: string) => Promise<void>;
}

/** An active workflow with schedules that are due, or soon will be. */
export interface DueWorkflow {
  readonly workflowId: string;
  readonly ownerId: string;
  readonly activationId: string;
  readonly versionId: string;
  /** When the first of its schedules is to be looked at. */
  readonly checkAt: Date;
  readonly schedules: readonly ScheduleEntry[];
}

/** The step of a workflow's schedules from what was found due to what is next. */
export interface ScheduleMove {
  /** As it was found: activation and time are the mark of compare-and-set. */
  readonly seen: DueWorkflow;
  readonly schedules: readonly ScheduleEntry[];
}

/** A place in the order of what is due. */
export interface DuePlace {
  readonly checkAt: Date;
  readonly workflowId: string;
}

/** Where due times are remembered. */
export interface ScheduleStore {
  /**
   * Workflows to be looked at up to `until`, in the order of that time and of their ids, those behind `after` if it is
   * given; at most `limit`.
   */
  readonly findDue: (until: Date, after: DuePlace | undefined, limit: number) => Promise<DueWorkflow[]>;
  /** Each move holds only if its workflow is as it was seen. */
  readonly moveOn: (moves: readonly ScheduleMove[]) => Promise<void>;
}
