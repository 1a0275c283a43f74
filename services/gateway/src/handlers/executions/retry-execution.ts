import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { bodyObject, readFields, refuseFieldErrors } from '../../http/body-fields';
import { readOrMakeKey } from '../../http/idempotency-key';
import { quote } from '../../http/json-text';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { readRetryOptions, RETRY_FIELDS } from './retry-options';

/**
 * POST /executions/:id/retry, an addition: runs an execution that has ended again, from the failed node or from the
 * start, with its own version of the workflow or the current one. 201 with the id of the new execution.
 */
export const retryExecution: ApiHandler = async ({ id, body, headers, principal }, { retries }) => {
  const faults: FieldError[] = [];
  const fields = readFields(body === undefined ? {} : bodyObject(body), faults);
  fields.allowOnly(...RETRY_FIELDS);
  const options = readRetryOptions(fields);
  refuseFieldErrors(faults);
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
