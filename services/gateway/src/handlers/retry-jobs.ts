import { ExecutionStatus } from '@weft/proto/executions';
import { type RetryFilter, RetryFrom, type RetryJob, RetryJobState, RetryVersion } from '@weft/proto/retries';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../http/json-text';
import { dataAnswer } from '../middleware/responses/write-answer';
import { component, COUNT, described, ID, listOf, oneOf, orNull, record, TEXT, TIME } from '../openapi/schema';
import type { ApiHandler } from './api-handler';
import { pageAnswer } from './list-answer';

const STATES: ReadonlyMap<RetryJobState, string> = new Map([
  [RetryJobState.RETRY_JOB_STATE_RUNNING, 'running'],
  [RetryJobState.RETRY_JOB_STATE_DONE, 'done'],
  [RetryJobState.RETRY_JOB_STATE_CANCELLED, 'cancelled'],
]);

const filterText = ({ workflowId, status, reason, from, to }: RetryFilter): string =>
  JSON.stringify({
    ...(workflowId === '' ? {} : { workflowId }),
    status: status === ExecutionStatus.EXECUTION_STATUS_SUCCESS ? 'success' : 'error',
    ...(reason === '' ? {} : { reason }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  });

/** Schema of `retryJobText`. */
export const RETRY_JOB = component(
  'RetryJob',
  record({
    id: ID,
    state: oneOf(...STATES.values()),
    filter: record({ status: oneOf('success', 'error') }, { workflowId: TEXT, reason: TEXT, from: TIME, to: TIME }),
    from: oneOf('failedNode', 'start'),
    version: oneOf('original', 'current'),
    matched: COUNT,
    retried: COUNT,
    refused: COUNT,
    skipped: COUNT,
    refusals: described('The first of them.', listOf(record({ executionId: ID, reason: TEXT, message: TEXT }))),
    createdAt: TIME,
    finishedAt: orNull(TIME),
  }),
);

/** A job as JSON text. */
export const retryJobText = (job: RetryJob | undefined): string => {
  const state = job === undefined ? undefined : STATES.get(job.state);
  if (job?.filter === undefined || state === undefined)
    throw new InternalError(new Error('The executions service answered without the job.'));
  const { id, options, matched, retried, refused, skipped, refusals } = job;
  const from = options?.from === RetryFrom.RETRY_FROM_START ? 'start' : 'failedNode';
  const version = options?.version === RetryVersion.RETRY_VERSION_CURRENT ? 'current' : 'original';
  return (
    `{"id":${quote(id)},"state":${quote(state)},"filter":${filterText(job.filter)},` +
    `"from":${quote(from)},"version":${quote(version)},` +
    `"matched":${matched},"retried":${retried},"refused":${refused},"skipped":${skipped},` +
    `"refusals":${JSON.stringify(refusals)},` +
    `"createdAt":${timeText(job.createdAt)},"finishedAt":${timeText(job.finishedAt)}}`
  );
};

/** GET /retry-jobs, an addition: one page of the jobs that retry executions, newest first. */
export const listRetryJobs: ApiHandler = (request, { retries }) =>
  pageAnswer(request, async (page) => {
    const { jobs, nextCursor } = await retries.calls.listRetryJobs(page, { principal: request.principal });
    return { entries: jobs.map(retryJobText), nextCursor };
  });

/** GET /retry-jobs/:id, an addition: the progress of a job. */
export const getRetryJob: ApiHandler = async ({ id, principal }, { retries }) =>
  dataAnswer(retryJobText((await retries.calls.getRetryJob({ jobId: id }, { principal })).job));

/** POST /retry-jobs/:id/cancel, an addition: cancels a job; the runs it has started continue. */
export const cancelRetryJob: ApiHandler = async ({ id, principal }, { retries }) =>
  dataAnswer(retryJobText((await retries.calls.cancelRetryJob({ jobId: id }, { principal })).job));
