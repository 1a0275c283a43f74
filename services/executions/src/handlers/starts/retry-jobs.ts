import { ExecutionStatus } from '@weft/proto/executions';
import {
  RetryFrom,
  RetryJobState as StateMessage,
  RetryVersion,
  type RetryFilter as FilterMessage,
  type RetryJob as JobMessage,
  type RetryServiceService,
} from '@weft/proto/retries';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../../compose';
import type { RetryJob, RetryJobState } from '../../domain/retries/retry-job';
import type { RetryJobRequest, StartRetryJob } from '../../domain/retries/start-retry-job';
import { retryOptionsOf } from './retry-execution';

const STATES: Readonly<Record<RetryJobState, StateMessage>> = {
  running: StateMessage.RETRY_JOB_STATE_RUNNING,
  done: StateMessage.RETRY_JOB_STATE_DONE,
  cancelled: StateMessage.RETRY_JOB_STATE_CANCELLED,
};

const STATUSES = {
  error: ExecutionStatus.EXECUTION_STATUS_ERROR,
  success: ExecutionStatus.EXECUTION_STATUS_SUCCESS,
} as const;
const FROM = { 'failed-node': RetryFrom.RETRY_FROM_FAILED_NODE, start: RetryFrom.RETRY_FROM_START } as const;
const VERSIONS = {
  original: RetryVersion.RETRY_VERSION_ORIGINAL,
  current: RetryVersion.RETRY_VERSION_CURRENT,
} as const;

const statusOf = (status: ExecutionStatus): 'error' | 'success' => {
  if (status === ExecutionStatus.EXECUTION_STATUS_UNSPECIFIED || status === ExecutionStatus.EXECUTION_STATUS_ERROR)
    return 'error';
  if (status === ExecutionStatus.EXECUTION_STATUS_SUCCESS) return 'success';
  throw new InvalidRequest('The filter is not valid.', [
    { field: 'filter.status', message: 'must be error or success: only what has ended can be retried.' },
  ]);
};

const filterOf = (filter: FilterMessage | undefined): RetryJobRequest['filter'] => {
  if (filter === undefined)
    throw new InvalidRequest('The filter is missing.', [
      { field: 'filter', message: 'is required; an empty one selects all failed executions.' },
    ]);
  const { workflowId, status, reason, from, to } = filter;
  return {
    status: statusOf(status),
    ...(workflowId === '' ? {} : { workflowId }),
    ...(reason === '' ? {} : { reason }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
};

const toJobMessage = ({
  id,
  user,
  filter,
  options,
  state,
  matched,
  retried,
  refused,
  skipped,
  refusals,
  createdAt,
  finishedAt,
}: RetryJob): JobMessage => ({
  id,
  ownerId: user.userId,
  state: STATES[state],
  matched,
  retried,
  refused,
  skipped,
  refusals: refusals.map((refusal) => ({ ...refusal })),
  createdAt,
  finishedAt,
  filter: {
    workflowId: filter.workflowId ?? '',
    status: STATUSES[filter.status],
    reason: filter.reason ?? '',
    from: filter.from,
    to: filter.to,
  },
  options: { from: FROM[options.from], version: VERSIONS[options.version] },
});

type JobMethods = Pick<
  Handlers<typeof RetryServiceService>,
  'startRetryJob' | 'getRetryJob' | 'listRetryJobs' | 'cancelRetryJob'
>;

/** The methods for jobs. */
export const retryJobHandlers = (start: StartRetryJob, useCases: Within): JobMethods => ({
  startRetryJob: async ({ filter, options, dryRun, idempotencyKey }, { principal }) => {
    const { matched, job } = await start(
      { filter: filterOf(filter), options: retryOptionsOf(options), isDryRun: dryRun, idempotencyKey },
      principal,
    );
    return { matched, job: job === undefined ? undefined : toJobMessage(job) };
  },
  getRetryJob: async ({ jobId }, context) => ({
    job: toJobMessage(await (await scopedTo(useCases, context)).retryJobs.get(jobId)),
  }),
  listRetryJobs: async ({ limit, cursor }, context) => {
    const { jobs, nextCursor } = await (await scopedTo(useCases, context)).retryJobs.list(limit, cursor);
    return { jobs: jobs.map(toJobMessage), nextCursor };
  },
  cancelRetryJob: async ({ jobId }, context) => ({
    job: toJobMessage(await (await scopedTo(useCases, context)).retryJobs.cancel(jobId, context.principal)),
  }),
});
