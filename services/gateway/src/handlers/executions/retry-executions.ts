import type { RetryFilter, StartRetryJobRequest } from '@weft/proto/retries';
import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, type FieldReader, readFields, refuseFieldErrors } from '../../http/body-fields';
import { readOrMakeKey } from '../../http/idempotency-key';
import { readTime } from '../../http/read-time';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { retryJobText } from '../retry-jobs/retry-job-json';
import { STATUSES } from './execution-json';
import { readRetryOptions, RETRY_FIELDS } from './retry-options';

const readStatus = (fields: FieldReader): RetryFilter['status'] => {
  const word = fields.string('status') ?? 'error';
  const status = word === 'error' || word === 'success' ? STATUSES.get(word) : undefined;
  if (status === undefined) fields.fault('status', 'must be error or success: only what has ended can be retried.');
  return status ?? 0;
};

const readFilter = (filter: Json, faults: FieldError[]): RetryFilter => {
  const fields = readFields(bodyObject(filter), faults, 'filter.');
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
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.allowOnly('filter', 'dryRun', ...RETRY_FIELDS);
  fields.require('filter');
  const filter = readFilter(fields.object('filter') ?? {}, faults);
  const params = { filter, options: readRetryOptions(fields), dryRun: fields.boolean('dryRun') ?? false };
  refuseFieldErrors(faults);
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
