import { type Execution, ExecutionStatus, type ListExecutionsResponse } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import type { ApiHandler } from '../api-handler';
import { nextCursorText } from '../list-answer';
import { readFlag, readLimit } from '../read-query';
import { entryText, STATUSES } from './execution-json';
import { executionParts } from './executions';

const readStatus = (query: ReadonlyMap<string, string>): ExecutionStatus => {
  const text = query.get('status');
  if (text === undefined) return ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED;
  const status = STATUSES.get(text);
  if (status === undefined)
    throw new InvalidRequest('status is invalid.', [
      { field: 'status', message: `must be one of ${[...STATUSES.keys()].join(', ')}` },
    ]);
  return status;
};

const readWorkflowId = (query: ReadonlyMap<string, string>): string => {
  const id = query.get('workflowId');
  if (id === '')
    throw new InvalidRequest('workflowId is invalid.', [{ field: 'workflowId', message: 'must not be empty' }]);
  return id ?? '';
};

/**
 * One entry in full; nothing if it was deleted since its page was read.
 * @throws if it is deleted after part of it was sent: that part cannot be withdrawn, so the answer must break off.
 */
const fullParts = async function* (
  execution: Execution,
  principal: Principal,
  clients: Clients,
): AsyncGenerator<string | Uint8Array> {
  let isGiven = false;
  try {
    for await (const part of executionParts(execution, principal, clients)) {
      isGiven = true;
      yield part;
    }
  } catch (error) {
    if (isGiven || !(error instanceof ServiceError) || error.kind !== 'not-found') throw error;
  }
};

const pageInFull = async function* (
  { executions, nextCursor }: ListExecutionsResponse,
  principal: Principal,
  clients: Clients,
): AsyncGenerator<string | Uint8Array> {
  let before = '{"data":[';
  for (const execution of executions) {
    for await (const part of fullParts(execution, principal, clients)) {
      if (before !== '') yield before;
      before = '';
      yield part;
    }
    if (before === '') before = ',';
  }
  yield `${before === ',' ? '' : before}],"nextCursor":${nextCursorText(nextCursor)}}`;
};

/**
 * GET /executions: one page, newest first, with a summary in each entry's `data`; with `includeData=true`, an addition,
 * all of the data. `nextCursor` is always present, null on the last page.
 */
export const listExecutions: ApiHandler = async ({ query, principal }, clients) => {
  const params = {
    limit: readLimit(query) ?? 20,
    cursor: query.get('cursor') ?? '',
    workflowId: readWorkflowId(query),
    status: readStatus(query),
  };
  const includeData = readFlag(query, 'includeData');
  const page = await clients.executions.calls.listExecutions(params, { principal });
  if (includeData) return { status: 200, parts: pageInFull(page, principal, clients) };
  return {
    status: 200,
    json: `{"data":[${page.executions.map(entryText).join(',')}],"nextCursor":${nextCursorText(page.nextCursor)}}`,
  };
};
