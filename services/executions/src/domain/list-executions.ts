import { InvalidRequest } from '@weft/service-kit/errors';
import { checkProjectFilter, readPage, type Stretch } from '@weft/service-kit/paging';
import type { ExecutionRecord } from './execution';
import type { ExecutionStatus } from './execution-state';
import type { SeenReads } from './seen-executions';

/** Request for a page. */
export interface ListRequest {
  /** 0: the default. */
  readonly limit: number;
  /** Empty: the first page. */
  readonly cursor: string;
  /** Empty: all. */
  readonly workflowId: string;
  readonly status?: ExecutionStatus;
  /** The project or user that owned them when they began; undefined: all. */
  readonly projectId?: string | undefined;
}

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

/** Pages through executions. @throws InvalidRequest */
export type ListExecutions = (
  request: ListRequest,
) => Promise<{ readonly executions: readonly ShownExecution[]; readonly nextCursor: string }>;

const MAX_ID_LENGTH = 200;

/** Lists by keyset: rows that come or go meanwhile neither repeat nor hide others. */
export const createListExecutions =
  ({ readPage: findPage }: SeenReads): ListExecutions =>
  async ({ limit, cursor, workflowId, status, projectId }) => {
    if (workflowId.length > MAX_ID_LENGTH)
      throw new InvalidRequest('The filter is not valid.', [
        { field: 'workflowId', message: 'must be the id of a workflow' },
      ]);
    checkProjectFilter(projectId);
    const filter = {
      ...(workflowId === '' ? {} : { workflowId }),
      ...(projectId === undefined ? {} : { ownerId: projectId }),
      ...(status === undefined ? {} : { status }),
    };
    const source = {
      read: (before: string | undefined, size: number) =>
        findPage({ ...filter, ...(before === undefined ? {} : { before }) }, size),
      idOf: ({ _id }: ShownExecution) => _id,
      filters: { workflowId, status: status ?? '', ...(projectId === undefined ? {} : { projectId }) },
    };
    const { items, nextCursor } = await readPage(source, { limit, cursor });
    return { executions: items, nextCursor };
  };
