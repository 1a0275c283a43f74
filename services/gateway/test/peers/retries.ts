import { RetryJobState, RetryServiceService, type RetryJob } from '@weft/proto/retries';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'executions:read' as const };
const write = { users: 'executions:write' as const };
const access = {
  retryExecution: write,
  startRetryJob: write,
  getRetryJob: read,
  listRetryJobs: read,
  cancelRetryJob: write,
};

/** A running job. */
export const retryJobOf = (id: string, over: Partial<RetryJob> = {}): RetryJob => ({
  id,
  ownerId: 'user-1',
  filter: { workflowId: 'w1', status: 4, reason: '', from: undefined, to: new Date('2026-01-02T03:04:05.000Z') },
  options: { from: 1, version: 1 },
  state: RetryJobState.RETRY_JOB_STATE_RUNNING,
  matched: 3,
  retried: 1,
  refused: 1,
  skipped: 0,
  refusals: [{ executionId: 'e7', reason: 'RETRY_NOT_POSSIBLE', message: 'No.' }],
  createdAt: new Date('2026-01-02T03:04:05.000Z'),
  finishedAt: undefined,
  ...over,
});

/** The retries of the executions service, with the execution `failed` and any number that match a filter. */
export const fakeRetries = () => {
  const fake = createFake();
  const stored = new Map<string, RetryJob>();
  const find = (id: string): RetryJob => {
    const job = stored.get(id);
    if (job === undefined)
      throw new ServiceError({
        reason: 'RETRY_JOB_NOT_FOUND',
        kind: 'not-found',
        message: `No retry job has the id ${id}.`,
        details: { retryJobId: id },
      });
    return job;
  };
  const handlers: Handlers<typeof RetryServiceService> = {
    retryExecution: (request, context) =>
      fake.act('retryExecution', request, context, () => {
        const { executionId } = request;
        if (executionId !== 'failed')
          throw new ServiceError({
            reason: 'EXECUTION_NOT_FOUND',
            kind: 'not-found',
            message: `No execution has the id ${executionId}.`,
            details: { executionId },
          });
        return { started: { executionId: 'again', existing: false, response: undefined, ended: undefined } };
      }),
    startRetryJob: (request, context) =>
      fake.act('startRetryJob', request, context, () => {
        const { dryRun, ...rest } = request;
        if (dryRun) return { matched: 3, job: undefined };
        const job = retryJobOf(`job${stored.size + 1}`, { filter: rest.filter, options: rest.options });
        stored.set(job.id, job);
        return { matched: 3, job };
      }),
    getRetryJob: (request, context) => fake.act('getRetryJob', request, context, () => ({ job: find(request.jobId) })),
    listRetryJobs: (request, context) =>
      fake.act('listRetryJobs', request, context, () => ({ jobs: [...stored.values()], nextCursor: '' })),
    cancelRetryJob: (request, context) =>
      fake.act('cancelRetryJob', request, context, () => ({
        job: { ...find(request.jobId), state: RetryJobState.RETRY_JOB_STATE_CANCELLED },
      })),
  };
  return { ...fake, stored, bound: bindService(RetryServiceService, handlers, access) };
};
