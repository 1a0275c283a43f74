import type { Stretch } from '@weft/service-kit/paging';
import type { ExecutionMode, ShownExecution, SingleExecution } from '../state/execution';
import type { ExecutionStatus } from '../state/execution-state';

export { SHOWN_FIELDS, type ShownExecution } from '../state/execution';

/** Filters of a page, and the id it starts after. */
export interface PageFilter {
  readonly workflowId?: string;
  readonly status?: ExecutionStatus;
  readonly ownerId?: string;
  /** Owners whose executions are omitted. */
  readonly hiddenOwnerIds?: readonly string[];
  readonly before?: string;
  /** The oldest one to scan. */
  readonly from?: string;
  /** The execution that called them. */
  readonly parentId?: string;
  /** The conditions below are compared with each execution; `customData` also has an index. */
  readonly reasons?: readonly string[];
  readonly modes?: readonly ExecutionMode[];
  readonly requestId?: string;
  /** A pair of custom metadata as `name:value`. */
  readonly customData?: string;
}

/** Reads one; undefined if there is none. @throws Unavailable */
export type ReadShown = (executionId: string) => Promise<SingleExecution | undefined>;

/** Reads executions, newest first; if many are omitted, those of one section of the list. @throws Unavailable */
export type FindPage = (
  filter: PageFilter,
  limit: number,
) => Promise<readonly ShownExecution[] | Stretch<ShownExecution>>;
