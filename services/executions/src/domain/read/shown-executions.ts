import type { Stretch } from '@weft/service-kit/paging';
import type { ExecutionRecord } from '../state/execution';
import type { ExecutionStatus } from '../state/execution-state';

/** Filters of a page, and the id it starts after. */
export interface PageFilter {
  readonly workflowId?: string;
  readonly status?: ExecutionStatus;
  readonly ownerId?: string;
  /** Owners whose executions are left out. */
  readonly hiddenOwnerIds?: readonly string[];
  readonly before?: string;
  /** The oldest one that is looked at. */
  readonly from?: string;
}

/**
 * The fields of an execution that its callers see. A list reads no others: what lies beside them may be a thousand
 * times larger.
 */
export const SHOWN_FIELDS = [
  '_id',
  'workflowId',
  'versionId',
  'ownerId',
  'mode',
  'state',
  'status',
  'createdAt',
  'startedAt',
  'finishedAt',
  'lastNode',
  'error',
  'crashes',
  'nodeRunCount',
  'customData',
  'parent',
  'retry',
  'retrySuccessId',
] as const satisfies readonly (keyof ExecutionRecord)[];

/** An execution as its callers see it, without its data. */
export type ShownExecution = Pick<ExecutionRecord, (typeof SHOWN_FIELDS)[number]>;

/** Reads one; undefined if there is none. @throws Unavailable */
export type ReadShown = (executionId: string) => Promise<ShownExecution | undefined>;

/** Reads executions, newest first; where many are left out, those of one stretch of the list. @throws Unavailable */
export type FindPage = (
  filter: PageFilter,
  limit: number,
) => Promise<readonly ShownExecution[] | Stretch<ShownExecution>>;
