import { type Execution, ExecutionStatus, type ListExecutionsResponse } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import type { ApiHandler } from '../api-handler';
import { nextCursorText, pageAnswer, readPageParams, type PageParams } from '../list-answer';
import { readFlag, readId } from '../../http/read-query';
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
export const listExecutions: ApiHandler = async (request, clients) => {
  const { query, principal } = request;
  const filter = { workflowId: readId(query, 'workflowId'), status: readStatus(query) };
  const read = (page: PageParams): Promise<ListExecutionsResponse> =>
    clients.executions.calls.listExecutions({ ...page, ...filter }, { principal });
  if (readFlag(query, 'includeData'))
    return { status: 200, parts: pageInFull(await read(readPageParams(query)), principal, clients) };
  return pageAnswer(request, async (page) => {
    const { executions, nextCursor } = await read(page);
    return { entries: executions.map(entryText), nextCursor };
  });
};
