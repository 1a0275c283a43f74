import { type Execution, ExecutionMode, type ExecutionStart, StartWait } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import type { Json } from '@weft/service-kit/json';
import { checkMessageSize } from '../../http/message-size';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { quote } from '../../http/json-text';
import { anyObject, flag, object, readOptionalBody, text } from '../../http/shape';
import { dataAnswer } from '../../middleware/write-answer';
import { component, ID, oneOf, record } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { STATUSES } from '@weft/proto/execution-words';
import { statusText } from '../executions/execution-json';

/** Time left for the request when waiting for the end of the run stops. */
const WAIT_MARGIN_MS = 1_500;

/** Body of a start. */
export const EXECUTE_BODY = object({
  data: anyObject({ description: 'Passed to the run.' }),
  startNode: text({ description: 'The name of the node to begin at.' }),
  usePinData: flag({ description: 'False: pinned nodes run for real.', default: true }),
  wait: flag({ description: 'Responds when the run has ended, or when the time for the request is nearly over.' }),
});

/** `data` of the response to a start. */
export const STARTED = component('StartedExecution', record({ executionId: ID, status: oneOf(...STATUSES.keys()) }));

interface ExecuteParams {
  readonly input: Buffer;
  readonly startNode: string;
  readonly usePinData: boolean;
  readonly wait: boolean;
}

const readExecute = (body: Json | undefined): ExecuteParams => {
  const { data, startNode = '', usePinData = true, wait = false } = readOptionalBody(EXECUTE_BODY, body);
  const input = data === undefined ? '' : JSON.stringify(data);
  checkMessageSize(input.length);
  return { input: Buffer.from(input), startNode, usePinData, wait };
};

const statusOf = (ended: Execution | undefined): string =>
  ended === undefined ? '"running"' : statusText(ended.status);

/**
 * POST /workflows/:id/execute: starts a run and responds with 201 and its id as soon as it is stored. With `wait: true`
 * the response comes when the run has ended, or with status `running` when the time for the request is nearly over.
 */
export const executeWorkflow: ApiHandler = async ({ id, body, headers, principal }, { executions }) => {
  const { wait, ...params } = readExecute(body);
  const start: ExecutionStart = {
    ...params,
    workflowId: id,
    idempotencyKey: readIdempotencyKey(headers),
    wait: wait ? StartWait.START_WAIT_END : StartWait.START_WAIT_UNSPECIFIED,
    waitMs: wait ? Math.max(1, remainingMs(30_000) - WAIT_MARGIN_MS) : 0,
    mode: ExecutionMode.EXECUTION_MODE_UNSPECIFIED,
    versionId: '',
    ownerId: '',
  };
  const started = await executions.startByItself(start, { principal, waits: wait, deadlineMs: 30_000 });
  return dataAnswer(`{"executionId":${quote(started.executionId)},"status":${statusOf(started.ended)}}`, {
    status: 201,
    headers: { location: `/api/v1/executions/${started.executionId}` },
  });
};
