import type { ReadOwned } from '@weft/service-kit/paging';
import type { RouteEntry, ScheduleEntry, Version, Workflow, WorkflowSummary } from './workflow';

/**
 * Outcome of a write: `stale` if the workflow is not what the writer saw, `route-taken` if another active workflow has
 * one of the routes. Nothing is stored then.
 */
export type WriteOutcome = 'done' | 'stale' | 'route-taken';

/** Fields of a workflow that a start depends on. */
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
 * Store of workflows. Deleted ones are never found. Every method throws Unavailable if the database cannot be reached.
 */
export interface WorkflowStore {
  /** Newest first, those older than `afterId` if it is given, of one owner if it is given; at most `limit`. */
  readonly page: ReadOwned<WorkflowSummary>;
  /** Those of the ids that exist, in no order. */
  readonly summaries: (ids: readonly string[]) => Promise<WorkflowSummary[]>;
  readonly find: (id: string) => Promise<Workflow | undefined>;
  readonly findHeads: (ids: readonly string[]) => Promise<WorkflowHead[]>;
  readonly insert: (workflow: Workflow) => Promise<Exclude<WriteOutcome, 'stale'>>;
  /** Compare-and-set: writes `next` if version, activation and time of the last change are still those of `seen`. */
  readonly update: (seen: Workflow, next: Workflow) => Promise<WriteOutcome>;
  readonly findListeners: (keys: readonly string[]) => Promise<Listener[]>;
}

/** Store of versions. */
export interface VersionStore {
  /** Its first review is at `reviewAt`. */
  readonly insert: (version: Version, reviewAt: Date) => Promise<void>;
  /** Those of the ids that exist, in no order. */
  readonly find: (ids: readonly string[]) => Promise<Version[]>;
  /** Sizes in bytes of those of the ids that exist. */
  readonly sizes: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /**
   * Like `find`, for runs: unused versions count as needed again, and are retained at least until `reviewAt`.
   */
  readonly findForRuns: (ids: readonly string[], reviewAt: Date) => Promise<Version[]>;
  /** Schedules the review whether anything still needs a version. */
  readonly review: (id: string, reviewAt: Date) => Promise<void>;
  /**
   * Postpones the review of a version in use to `reviewAt`, or up to `slackMs` before it. False if there is no such
   * version.
   */
  readonly recordUse: (id: string, reviewAt: Date, slackMs: number) => Promise<boolean>;
  /** Versions, current or not, that name a credential: those after an id, by id. */
  readonly findNaming: (
    credentialId: string,
    afterId: string,
    limit: number,
  ) => Promise<readonly Pick<Version, 'id' | 'workflowId'>[]>;
  /** Removes a version that no workflow ever referred to. */
  readonly discard: (id: string) => Promise<void>;
}

/** An active workflow with schedules that are due, or soon will be. */
export interface DueWorkflow {
  readonly workflowId: string;
  readonly ownerId: string;
  readonly activationId: string;
  readonly versionId: string;
  /** When the first of its schedules is to be checked. */
  readonly checkAt: Date;
  readonly schedules: readonly ScheduleEntry[];
}

/** Progress of a workflow's schedules from their due times to the next ones. */
export interface ScheduleMove {
  /** As it was found: compare-and-set over activation and `checkAt`. */
  readonly seen: DueWorkflow;
  readonly schedules: readonly ScheduleEntry[];
}

/** Position in the order of due workflows. */
export interface DuePosition {
  readonly checkAt: Date;
  readonly workflowId: string;
}

/** Store of due times. */
export interface ScheduleStore {
  /**
   * Workflows to be checked up to `until`, in the order of that time and of their ids, those behind `after` if it is
   * given; at most `limit`.
   */
  readonly findDue: (until: Date, after: DuePosition | undefined, limit: number) => Promise<DueWorkflow[]>;
  /** Applies each move only if its workflow is as it was seen. */
  readonly moveOn: (moves: readonly ScheduleMove[]) => Promise<void>;
}
