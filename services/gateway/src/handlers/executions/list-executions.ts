import {
  type Execution,
  type ExecutionFilter,
  ExecutionStatus,
  type ListExecutionsResponse,
} from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import type { Clients } from '../../clients';
import type { ApiHandler } from '../api-handler';
import { nextCursorText, pageAnswer, readPageParams, type PageParams } from '../list-answer';
import {
  choiceParameter,
  choicesParameter,
  flagParameter,
  idParameter,
  namesParameter,
  optionalText,
  PAGE,
  type Query,
  type QueryParameter,
  timeParameter,
} from '../../http/read-query';
import { MODE_WORDS, STATUSES } from '@weft/proto/execution-words';
import { entryText } from './execution-json';
import { executionParts } from './executions';
import { OF_PROJECT, readOwner } from '../owned';

const OF_WORKFLOW = idParameter('workflowId', 'Only executions of this workflow.');
const STATUS = choiceParameter('status', STATUSES, 'Only executions with this status.');
const FROM = timeParameter('from', 'Only executions accepted at or after this time.');
const TO = timeParameter('to', 'Only executions accepted before this time.');
const REASON = namesParameter(
  'reason',
  'Only executions that failed for one of these reasons: `NODE_ERROR,TIMED_OUT`.',
);
const MODE = choicesParameter(
  'mode',
  new Map([...MODE_WORDS].map(([mode, word]) => [word, mode])),
  'Only executions with one of these modes, separated by commas.',
);
const REQUEST_ID = idParameter('requestId', 'Only executions that the request with this `X-Request-Id` started.');
const CUSTOM_DATA = optionalText('customData', 'Only executions with this custom data: `name:value`.', {
  pattern: '^[^:]*:',
});
const PARENT = idParameter('parentExecutionId', 'Only executions that this one called, as sub-workflows.');
const INCLUDE_DATA = flagParameter('includeData', 'Returns all run data instead of the summary.');

/** Query parameters of the list. */
export const EXECUTION_QUERY: readonly QueryParameter<unknown>[] = [
  ...PAGE,
  OF_WORKFLOW,
  OF_PROJECT,
  STATUS,
  FROM,
  TO,
  REASON,
  MODE,
  REQUEST_ID,
  CUSTOM_DATA,
  PARENT,
  INCLUDE_DATA,
];

/** The filter in addition to workflow, owner and status; undefined if there is none. @throws InvalidRequest */
const readFilter = (query: Query): ExecutionFilter | undefined => {
  const filters = [FROM, TO, REASON, MODE, REQUEST_ID, CUSTOM_DATA, PARENT];
  if (filters.every(({ name }) => !query.has(name))) return undefined;
  const [requestId, customData, parentExecutionId] = [
    REQUEST_ID.read(query),
    CUSTOM_DATA.read(query),
    PARENT.read(query),
  ];
  return {
    from: FROM.read(query),
    to: TO.read(query),
    reasons: [...(REASON.read(query) ?? [])],
    modes: [...(MODE.read(query) ?? [])],
    ...(requestId === '' ? {} : { requestId }),
    ...(customData === undefined ? {} : { customData }),
    ...(parentExecutionId === '' ? {} : { parentExecutionId }),
  };
};

/**
 * One entry in full; nothing if it was deleted since its page was read.
 * @throws if it is deleted after a part was sent: that part cannot be withdrawn, so the response must be cut off
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
 * GET /executions: one page, newest first, with a summary in each entry's `data`; the filters by time, reason, mode,
 * request, custom data and parent are additions; with `includeData=true`, an addition,
 * all of the data. `nextCursor` is always present, null on the last page.
 */
export const listExecutions: ApiHandler = async (request, clients) => {
  const { query, principal } = request;
  const further = readFilter(query);
  const filter = {
    workflowId: OF_WORKFLOW.read(query),
    ...readOwner(query),
    status: STATUS.read(query) ?? ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED,
    ...(further === undefined ? {} : { filter: further }),
  };
  const read = (page: PageParams): Promise<ListExecutionsResponse> =>
    clients.executions.calls.listExecutions({ ...page, ...filter }, { principal });
  if (INCLUDE_DATA.read(query))
    return { status: 200, parts: pageInFull(await read(readPageParams(query)), principal, clients) };
  return pageAnswer(request, async (page) => {
    const { executions, nextCursor } = await read(page);
    return { entries: executions.map(entryText), nextCursor };
  });
};
