import { InvalidRequest } from '@weft/service-kit/errors';
import { checkProjectFilter, readPage } from '@weft/service-kit/paging';
import type { ExecutionStatus } from '../state/execution-state';
import type { ScopedReads } from './scoped-executions';
import type { ShownExecution } from './shown-executions';

/** Request for a page. */
export interface ListRequest {
  /** 0: the default. */
  readonly limit: number;
  /** Empty: the first page. */
  readonly cursor: string;
  /** Empty: all. */
  readonly workflowId: string;
  readonly status?: ExecutionStatus;
  /** The project or user that owned them when they started; undefined: all. */
  readonly projectId?: string | undefined;
}

/** Pages through executions. @throws InvalidRequest */
export type ListExecutions = (
  request: ListRequest,
) => Promise<{ readonly executions: readonly ShownExecution[]; readonly nextCursor: string }>;

const MAX_ID_LENGTH = 200;

/** Pages by keyset: concurrent inserts and deletions neither repeat nor hide rows. */
export const createListExecutions =
  ({ readPage: findPage }: ScopedReads): ListExecutions =>
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
