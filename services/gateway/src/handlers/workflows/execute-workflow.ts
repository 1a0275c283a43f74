import { type Execution, ExecutionMode, type ExecutionStart, StartWait } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, checkMessageSize, readFields, refuseFieldErrors } from '../../http/body-fields';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { quote } from '../../http/json-text';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { statusText } from '../executions/execution-json';

interface ExecuteParams {
  readonly input: Buffer;
  readonly startNode: string;
  readonly usePinData: boolean;
  readonly wait: boolean;
}

/** Time left for the request when a wait for the end gives up. */
const WAIT_MARGIN_MS = 1_500;

const readExecuteBody = (body: Json | undefined): ExecuteParams => {
  const errors: FieldError[] = [];
  const fields = readFields(body === undefined ? {} : bodyObject(body), errors);
  fields.allowOnly('data', 'startNode', 'usePinData', 'wait');
  const data = fields.object('data');
  const text = data === undefined ? '' : JSON.stringify(data);
  checkMessageSize(text.length);
  const params = {
    input: Buffer.from(text),
    startNode: fields.string('startNode') ?? '',
    usePinData: fields.boolean('usePinData') !== false,
    wait: fields.boolean('wait') ?? false,
  };
  refuseFieldErrors(errors);
  return params;
};

const statusOf = (ended: Execution | undefined): string =>
  ended === undefined ? '"running"' : statusText(ended.status);

/**
 * POST /workflows/:id/execute: starts a run and answers 201 with its id as soon as it is stored. With `wait: true` the
 * answer comes when the run has ended, or with status `running` when the time for the request is nearly over.
 */
export const executeWorkflow: ApiHandler = async ({ id, body, headers, principal }, { executions }) => {
  const { wait, ...params } = readExecuteBody(body);
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
