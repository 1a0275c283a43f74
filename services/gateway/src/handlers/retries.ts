import { ExecutionStatus } from '@weft/proto/executions';
import {
  type RetryExecutionRequest,
  RetryFrom,
  type RetryOptions,
  RetryVersion,
  type StartRetryJobRequest,
} from '@weft/proto/retries';
import { InternalError, InvalidRequest } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { startingBy } from '../clients/send-start';
import { readOrMakeKey } from '../http/idempotency-key';
import { quote } from '../http/json-text';
import { checkMessageSize } from '../http/message-size';
import { anyObject, choice, flag, list, object, readBody, readOptionalBody, text, time } from '../http/shape';
import { dataAnswer } from '../middleware/responses/write-answer';
import { COUNT, ID, oneOf, record } from '../openapi/schema';
import type { ApiHandler } from './api-handler';
import { STATUSES } from '@weft/proto/execution-words';
import { retryJobText } from './retry-jobs';

const FROM: ReadonlyMap<string, RetryFrom> = new Map([
  ['failedNode', RetryFrom.RETRY_FROM_FAILED_NODE],
  ['start', RetryFrom.RETRY_FROM_START],
]);
const VERSIONS: ReadonlyMap<string, RetryVersion> = new Map([
  ['original', RetryVersion.RETRY_VERSION_ORIGINAL],
  ['current', RetryVersion.RETRY_VERSION_CURRENT],
]);

const OPTIONS = {
  from: choice(FROM, { description: 'Where the retry begins. Default: at the failed node.' }),
  version: choice(VERSIONS, { description: 'Which definition runs. Default: the original one.' }),
};

/** Body of one retry. */
export const RETRY_BODY = object({
  ...OPTIONS,
  input: list(anyObject({}, 'an object'), {
    description: 'Items for the start node instead of the original input. Requires `from: "start"`.',
  }),
});

const optionsOf = ({
  from,
  version,
}: {
  readonly from: RetryFrom | undefined;
  readonly version: RetryVersion | undefined;
}): RetryOptions => ({
  from: from ?? RetryFrom.RETRY_FROM_FAILED_NODE,
  version: version ?? RetryVersion.RETRY_VERSION_ORIGINAL,
});

const INPUT_FROM_START = new InvalidRequest('The body is not valid.', [
  { field: 'input', message: 'requires "from": "start"' },
]);

/** @throws InvalidRequest, PayloadTooLarge */
const readRetry = (body: Json | undefined): Pick<RetryExecutionRequest, 'options' | 'input'> => {
  const { input: items, ...read } = readOptionalBody(RETRY_BODY, body);
  const options = optionsOf(read);
  if (items === undefined) return { options };
  if (read.from !== RetryFrom.RETRY_FROM_START) throw INPUT_FROM_START;
  const input = JSON.stringify(items);
  checkMessageSize(input.length);
  return { options: { ...options, from: RetryFrom.RETRY_FROM_INPUT }, input: Buffer.from(input) };
};

/** `data` of the response to one retry. */
export const RETRIED = record({ executionId: ID, retryOf: ID, status: oneOf('running') });

/**
 * POST /executions/:id/retry, an addition: runs a finished execution again, from the failed node or from the start,
 * with its own version of the workflow or the current one, and perhaps with another input. 201 with the id of the new
 * execution.
 */
export const retryExecution: ApiHandler = async ({ id, body, headers, principal }, { retries }) => {
  const retry = { executionId: id, idempotencyKey: readOrMakeKey(headers), ...readRetry(body) };
  const { started } = await startingBy(() => retries.calls.retryExecution(retry, { principal, deadlineMs: 30_000 }));
  if (started === undefined) throw new InternalError(new Error('A retry was answered without a result.'));
  return dataAnswer(`{"executionId":${quote(started.executionId)},"retryOf":${quote(id)},"status":"running"}`, {
    status: 201,
    headers: { location: `/api/v1/executions/${started.executionId}` },
  });
};

const ENDED: ReadonlyMap<string, ExecutionStatus> = new Map(
  [...STATUSES].filter(([word]) => word === 'error' || word === 'success'),
);

const FILTER = object({
  workflowId: text(),
  status: choice(
    ENDED,
    { description: 'Default: `error`.' },
    'must be error or success: only what has ended can be retried.',
  ),
  reason: text({ description: 'Why the executions failed, such as `NODE_ERROR`.' }),
  from: time({ description: 'Executions that were accepted at this instant or later.' }),
  to: time({ description: 'Executions that were accepted before this instant.' }),
});

/** Body that starts a job. */
export const RETRIES_BODY = object(
  {
    filter: FILTER,
    ...OPTIONS,
    dryRun: flag({ description: 'Counts the executions and starts nothing.' }),
  },
  { required: ['filter'] },
);

/** `data` of the response to a dry run. */
export const RETRY_DRY_RUN = record({ dryRun: { type: 'boolean', enum: [true] }, matched: COUNT });

const readJob = (body: Json | undefined): Omit<StartRetryJobRequest, 'idempotencyKey'> => {
  const { filter, dryRun = false, ...options } = readBody(RETRIES_BODY, body);
  const { workflowId = '', status = ExecutionStatus.EXECUTION_STATUS_ERROR, reason = '', from, to } = filter ?? {};
  return { filter: { workflowId, status, reason, from, to }, options: optionsOf(options), dryRun };
};

/**
 * POST /executions/retry, an addition: retries every execution that matches a filter once, in a background job. 201
 * with the job; with `dryRun: true` 200 with only the number of executions.
 */
export const retryExecutions: ApiHandler = async ({ body, headers, principal }, { retries }) => {
  const params = readJob(body);
  const request = { ...params, idempotencyKey: readOrMakeKey(headers) };
  const { matched, job } = await startingBy(() =>
    retries.calls.startRetryJob(request, { principal, deadlineMs: 30_000 }),
  );
  if (params.dryRun) return dataAnswer(`{"dryRun":true,"matched":${matched}}`);
  return dataAnswer(retryJobText(job), { status: 201, headers: { location: `/api/v1/retry-jobs/${job?.id ?? ''}` } });
};
