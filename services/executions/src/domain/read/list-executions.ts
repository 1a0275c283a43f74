import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { checkProjectFilter, readPage } from '@weft/service-kit/paging';
import type { ExecutionMode } from '../state/execution';
import type { ExecutionStatus } from '../state/execution-state';
import { idAt } from '../state/id-at';
import { CUSTOM_DATA } from '../step/custom-data';
import type { ScopedReads } from './scoped-executions';
import type { PageFilter, ShownExecution } from './shown-executions';

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
  readonly filter?: ExecutionFilter;
}

/** Further conditions: all that are set must hold. */
export interface ExecutionFilter {
  /** Accepted at or after this time. */
  readonly from: Date | undefined;
  /** Accepted before this time. */
  readonly to: Date | undefined;
  /** Failed for one of these reasons; empty: any. */
  readonly reasons: readonly string[];
  /** Started in one of these modes; empty: any. */
  readonly modes: readonly ExecutionMode[];
  readonly requestId: string | undefined;
  /** Has this custom metadata, as `name:value`. */
  readonly customData: string | undefined;
  /** Called by this execution. */
  readonly parentExecutionId: string | undefined;
}

/** Pages through executions. @throws InvalidRequest */
export type ListExecutions = (
  request: ListRequest,
) => Promise<{ readonly executions: readonly ShownExecution[]; readonly nextCursor: string }>;

const MAX_ID_LENGTH = 200;
const MAX_REASONS = 20;
const MAX_REASON_LENGTH = 100;
const MAX_REQUEST_ID_LENGTH = 500;
const MAX_PAIR_LENGTH = CUSTOM_DATA.keyLength + 1 + CUSTOM_DATA.valueLength;

const errorsIn = (workflowId: string, filter: ExecutionFilter | undefined): FieldError[] => {
  const { reasons = [], requestId = '', customData, parentExecutionId = '' } = filter ?? {};
  const errors: FieldError[] = [];
  if (workflowId.length > MAX_ID_LENGTH) errors.push({ field: 'workflowId', message: 'must be the id of a workflow' });
  if (reasons.length > MAX_REASONS || reasons.some(({ length }) => length === 0 || length > MAX_REASON_LENGTH))
    errors.push({ field: 'reason', message: `must be at most ${MAX_REASONS} reasons, such as NODE_ERROR.` });
  if (requestId.length > MAX_REQUEST_ID_LENGTH)
    errors.push({ field: 'requestId', message: `must have at most ${MAX_REQUEST_ID_LENGTH} characters.` });
  if (parentExecutionId.length > MAX_ID_LENGTH)
    errors.push({ field: 'parentExecutionId', message: 'must be the id of an execution' });
  if (customData !== undefined && (!customData.includes(':') || customData.length > MAX_PAIR_LENGTH))
    errors.push({ field: 'customData', message: 'must be a name and a value, separated by a colon: name:value.' });
  return errors;
};

/** The part of a page's filter that a further condition adds. Only failed executions have a reason. */
const conditionsOf = ({
  reasons,
  modes,
  requestId,
  customData,
  parentExecutionId,
  from,
}: ExecutionFilter): PageFilter => ({
  ...(reasons.length === 0 ? {} : { reasons, status: 'error' }),
  ...(modes.length === 0 ? {} : { modes }),
  ...(requestId === undefined ? {} : { requestId }),
  ...(customData === undefined ? {} : { customData }),
  ...(parentExecutionId === undefined ? {} : { parentId: parentExecutionId }),
  ...(from === undefined ? {} : { from: idAt(from) }),
});

const isEmpty = ({ from, to, reasons, modes, requestId, customData, parentExecutionId }: ExecutionFilter): boolean =>
  [from, to, requestId, customData, parentExecutionId].every((value) => value === undefined) &&
  reasons.length + modes.length === 0;

/** The conditions as part of a cursor. Cursors of lists without them stay valid. */
const cursorPartOf = (filter: ExecutionFilter | undefined): Readonly<Record<string, string>> =>
  filter === undefined || isEmpty(filter) ? {} : { filter: JSON.stringify(filter) };

/** Pages by keyset: concurrent inserts and deletions neither repeat nor hide rows. */
export const createListExecutions =
  ({ readPage: findPage }: ScopedReads): ListExecutions =>
  async ({ limit, cursor, workflowId, status, projectId, filter: further }) => {
    const errors = errorsIn(workflowId, further);
    if (errors.length > 0) throw new InvalidRequest('The filter is not valid.', errors);
    checkProjectFilter(projectId);
    const filter: PageFilter = {
      ...(further === undefined ? {} : conditionsOf(further)),
      ...(workflowId === '' ? {} : { workflowId }),
      ...(projectId === undefined ? {} : { ownerId: projectId }),
      ...(status === undefined ? {} : { status }),
    };
    const end = further?.to === undefined ? undefined : idAt(further.to);
    const source = {
      read: (before: string | undefined, size: number) => {
        const bound = before ?? end;
        return findPage({ ...filter, ...(bound === undefined ? {} : { before: bound }) }, size);
      },
      idOf: ({ _id }: ShownExecution) => _id,
      filters: {
        workflowId,
        status: status ?? '',
        ...(projectId === undefined ? {} : { projectId }),
        ...cursorPartOf(further),
      },
    };
    const { items, nextCursor } = await readPage(source, { limit, cursor });
    return { executions: items, nextCursor };
  };
