import {
  type RetryFilter,
  RetryFrom,
  type RetryOptions,
  RetryVersion,
  type StartRetryJobRequest,
} from '@weft/proto/retries';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, type FieldReader, readFields, readTime, refuseFieldErrors } from '../http/body-fields';
import { readOrMakeKey } from '../http/idempotency-key';
import { quote } from '../http/json-text';
import { dataAnswer } from '../middleware/write-answer';
import type { ApiHandler } from './api-handler';
import { STATUSES } from './executions/execution-json';
import { retryJobText } from './retry-jobs';

const FROM: ReadonlyMap<string, RetryFrom> = new Map([
  ['failedNode', RetryFrom.RETRY_FROM_FAILED_NODE],
  ['start', RetryFrom.RETRY_FROM_START],
]);
const VERSIONS: ReadonlyMap<string, RetryVersion> = new Map([
  ['original', RetryVersion.RETRY_VERSION_ORIGINAL],
  ['current', RetryVersion.RETRY_VERSION_CURRENT],
]);

/** Fields of a body with the options of a retry. */
export const RETRY_FIELDS = ['from', 'version'] as const;

const choice = <Value>(fields: FieldReader, name: string, choices: ReadonlyMap<string, Value>, usual: Value): Value => {
  const word = fields.string(name);
  if (word === undefined) return usual;
  const value = choices.get(word);
  if (value === undefined) fields.error(name, `must be one of ${[...choices.keys()].join(', ')}.`);
  return value ?? usual;
};

/** Reads them; by default from the failed node and with the original version. */
export const readRetryOptions = (fields: FieldReader): RetryOptions => ({
  from: choice(fields, 'from', FROM, RetryFrom.RETRY_FROM_FAILED_NODE),
  version: choice(fields, 'version', VERSIONS, RetryVersion.RETRY_VERSION_ORIGINAL),
});

/**
 * POST /executions/:id/retry, an addition: runs an execution that has ended again, from the failed node or from the
 * start, with its own version of the workflow or the current one. 201 with the id of the new execution.
 */
export const retryExecution: ApiHandler = async ({ id, body, headers, principal }, { retries }) => {
  const errors: FieldError[] = [];
  const fields = readFields(body === undefined ? {} : bodyObject(body), errors);
  fields.allowOnly(...RETRY_FIELDS);
  const options = readRetryOptions(fields);
  refuseFieldErrors(errors);
  const { started } = await retries.calls.retryExecution(
    { executionId: id, options, idempotencyKey: readOrMakeKey(headers) },
    { principal, deadlineMs: 30_000 },
  );
  if (started === undefined) throw new InternalError(new Error('A retry was answered without a result.'));
  return dataAnswer(`{"executionId":${quote(started.executionId)},"retryOf":${quote(id)},"status":"running"}`, {
    status: 201,
    headers: { location: `/api/v1/executions/${started.executionId}` },
  });
};

const readStatus = (fields: FieldReader): RetryFilter['status'] => {
  const word = fields.string('status') ?? 'error';
  const status = word === 'error' || word === 'success' ? STATUSES.get(word) : undefined;
  if (status === undefined) fields.error('status', 'must be error or success: only what has ended can be retried.');
  return status ?? 0;
};

const readFilter = (filter: Json, errors: FieldError[]): RetryFilter => {
  const fields = readFields(bodyObject(filter), errors, 'filter.');
  fields.allowOnly('workflowId', 'status', 'reason', 'from', 'to');
  return {
    workflowId: fields.string('workflowId') ?? '',
    status: readStatus(fields),
    reason: fields.string('reason') ?? '',
    from: readTime(fields, 'from'),
    to: readTime(fields, 'to'),
  };
};

const readBody = (body: Json | undefined): Omit<StartRetryJobRequest, 'idempotencyKey'> => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('filter', 'dryRun', ...RETRY_FIELDS);
  fields.require('filter');
  const filter = readFilter(fields.object('filter') ?? {}, errors);
  const params = { filter, options: readRetryOptions(fields), dryRun: fields.boolean('dryRun') ?? false };
  refuseFieldErrors(errors);
  return params;
};

/**
 * POST /executions/retry, an addition: retries every execution of a filter once, by a job in the background. 201 with
 * the job; with `dryRun: true` 200 with the number of executions alone.
 */
export const retryExecutions: ApiHandler = async ({ body, headers, principal }, { retries }) => {
  const params = readBody(body);
  const { matched, job } = await retries.calls.startRetryJob(
    { ...params, idempotencyKey: readOrMakeKey(headers) },
    { principal, deadlineMs: 30_000 },
  );
  if (params.dryRun) return dataAnswer(`{"dryRun":true,"matched":${matched}}`);
  return dataAnswer(retryJobText(job), { status: 201, headers: { location: `/api/v1/retry-jobs/${job?.id ?? ''}` } });
};
