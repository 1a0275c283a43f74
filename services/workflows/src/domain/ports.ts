import type { Stretch } from '@weft/service-kit/paging';
import type { RouteRelease } from './routes/route-releases';
import type { Manager, RouteEntry, ScheduleEntry, Version, Workflow, WorkflowSummary } from './workflows/workflow';

/** Filter of a list of workflows; undefined fields match all. */
export interface WorkflowFilter {
  readonly key: string | undefined;
  readonly managedBy: Manager | undefined;
  readonly set: string | undefined;
  /** Part of the name, whatever its case. */
  readonly search: string | undefined;
  readonly active: boolean | undefined;
  /** True: only those that may have been stored as tools of MCP clients. */
  readonly mcpTools: true | undefined;
  /** Only these; at most 100. */
  readonly ids?: readonly string[] | undefined;
}

/** Reads workflows that match a filter; without an owner, those of all owners except hidden ones. */
export type ReadFiltered = (
  filter: WorkflowFilter,
  afterId: string | undefined,
  limit: number,
  ownerId?: string,
  hiddenOwnerIds?: readonly string[],
) => Promise<readonly WorkflowSummary[] | Stretch<WorkflowSummary>>;

/**
 * Outcome of a write: `stale` if the workflow has changed since the writer read it, `taken` if another active workflow
 * has one of the routes, or another workflow the key. Nothing is stored then.
 */
export type WriteOutcome = 'done' | 'stale' | 'taken';

/** Fields of a workflow that a start depends on. */
export interface WorkflowHead {
  readonly id: string;
  readonly ownerId: string;
  readonly versionId: string;
  readonly active: boolean;
}

/** An active workflow that listens on at least one of the requested keys. */
export interface Listener {
  readonly workflowId: string;
  readonly ownerId: string;
  readonly versionId: string;
  readonly routes: readonly RouteEntry[];
  readonly routesRelease?: string;
}

/**
 * Store of workflows. Deleted ones are never returned. Every method throws Unavailable if the database cannot be
 * reached.
 */
export interface WorkflowStore {
  /**
   * Newest first, older than `afterId` and of one owner if these are given; at most `limit`. Compares a bounded number
   * of workflows with the filter: a stretch if there may be more.
   */
  readonly page: ReadFiltered;
  /** The existing ones among the ids, in no particular order. */
  readonly summaries: (ids: readonly string[]) => Promise<WorkflowSummary[]>;
  readonly find: (id: string) => Promise<Workflow | undefined>;
  readonly findHeads: (ids: readonly string[]) => Promise<WorkflowHead[]>;
  readonly insert: (workflow: Workflow) => Promise<Exclude<WriteOutcome, 'stale'>>;
  /** Compare-and-set: writes `next` if version, activation and time of change are still those of `seen`. */
  readonly update: (seen: Workflow, next: Workflow) => Promise<WriteOutcome>;
  readonly findListeners: (keys: readonly string[]) => Promise<Listener[]>;
  /** The workflow that has a key. A deleted one loses it. */
  readonly findKeyHolder: (key: string) => Promise<Pick<Workflow, 'id' | 'ownerId'> | undefined>;
  /** Releases of routes, also of deleted workflows; oldest first, at most `limit`. */
  readonly findReleases: (limit: number) => Promise<RouteRelease[]>;
  /** Removes releases by id from the workflows that have had none since. */
  readonly endReleases: (ids: readonly string[]) => Promise<void>;
  /** An active workflow of another owner with a route that some request reaches as well as one of these keys. */
  readonly findOverlap: (keys: readonly string[], ownerId: string) => Promise<Listener | undefined>;
}

/** A version without its definition. */
export type StoredVersion = Pick<Version, 'id' | 'createdAt' | 'hash'>;

/** Store of versions. */
export interface VersionStore {
  /** Its first review is at `reviewAt`. */
  readonly insert: (version: Version, reviewAt: Date) => Promise<void>;
  /** The existing ones among the ids, in no particular order. */
  readonly find: (ids: readonly string[]) => Promise<Version[]>;
  /** Sizes in bytes of the existing ones among the ids. */
  readonly sizes: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Like `find`, for runs: unused versions count as needed again, and are retained at least until `reviewAt`. */
  readonly findForRuns: (ids: readonly string[], reviewAt: Date) => Promise<Version[]>;
  /** Schedules the review of whether a version is still needed. */
  readonly review: (id: string, reviewAt: Date) => Promise<void>;
  /**
   * Postpones the review of a version in use to `reviewAt`, or up to `slackMs` earlier. False if the version does not
   * exist.
   */
  readonly recordUse: (id: string, reviewAt: Date, slackMs: number) => Promise<boolean>;
  /** Versions, current or not, that use a credential: those after an id, by id. */
  readonly findNaming: (
    credentialId: string,
    afterId: string,
    limit: number,
  ) => Promise<readonly Pick<Version, 'id' | 'workflowId'>[]>;
  /** Versions, current or not, that use an app: those after an id, by id. */
  readonly findUsingApp: (
    app: string,
    afterId: string,
    limit: number,
  ) => Promise<readonly Pick<Version, 'id' | 'workflowId'>[]>;
  /** Versions of a workflow that were stored as such, newest first, older than `afterId`. */
  readonly page: (
    workflowId: string,
    afterId: string | undefined,
    limit: number,
  ) => Promise<readonly StoredVersion[] | Stretch<StoredVersion>>;
  /** Removes a version that no workflow ever referred to. */
  readonly discard: (id: string) => Promise<void>;
}

/** An active workflow with schedules that are due now or soon. */
export interface DueWorkflow {
  readonly workflowId: string;
  readonly ownerId: string;
  readonly activationId: string;
  readonly versionId: string;
  /** Time of the first check of its schedules. */
  readonly checkAt: Date;
  readonly schedules: readonly ScheduleEntry[];
}

/** Moves a workflow's schedules from their due times to the next ones. */
export interface ScheduleMove {
  /** As it was read: compare-and-set uses activation and `checkAt`. */
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
  /** Workflows to be checked up to `until`, ordered by that time and id, after `after` if given; at most `limit`. */
  readonly findDue: (until: Date, after: DuePosition | undefined, limit: number) => Promise<DueWorkflow[]>;
  /** Applies each move only if its workflow is unchanged. */
  readonly moveOn: (moves: readonly ScheduleMove[]) => Promise<void>;
}
