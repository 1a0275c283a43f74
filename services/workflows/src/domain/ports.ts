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

/** Where workflows are remembered. Deleted ones are never found. Every method throws Unavailable if the store cannot be reached. */
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
  readonly insert: (version: Version) => Promise<void>;
  /** Those of the ids that exist, in no order. */
  readonly find: (ids: readonly string[]) => Promise<Version[]>;
  /** Sizes in bytes of those of the ids that exist. */
  readonly sizes: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Takes back a version that no workflow ever showed. */
  readonly discard: (id: string) => Promise<void>;
}

/** An active workflow with schedules that are due, or soon will be. */
export interface DueWorkflow {
  readonly workflowId: string;
  readonly ownerId: string;
  readonly activationId: string;
  readonly versionId: string;
  readonly schedules: readonly ScheduleEntry[];
}

/** One schedule's step from a due time to the next. */
export interface ScheduleMove {
  readonly workflowId: string;
  readonly activationId: string;
  readonly node: string;
  readonly index: number;
  /** The due time it leaves: the mark of compare-and-set. */
  readonly due: Date;
  /** Undefined: never again. */
  readonly nextAt: Date | undefined;
}

/** Where due times are remembered. */
export interface ScheduleStore {
  /** Workflows with a due time up to `until`, by ascending id, those above `afterId` if it is given; at most `limit`. */
  readonly findDue: (until: Date, afterId: string | undefined, limit: number) => Promise<DueWorkflow[]>;
  /** Each move holds only if its schedule still stands at `due`. */
  readonly moveOn: (moves: readonly ScheduleMove[]) => Promise<void>;
}
