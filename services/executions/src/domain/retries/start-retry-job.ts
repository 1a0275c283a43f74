import { createHash } from 'node:crypto';
import type { Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest } from '@weft/service-kit/errors';
import { isUuid, uuidv7 } from '@weft/service-kit/ids';
import { RetryJobKeyReused, RetryTooMany, TooManyRetryJobs } from '../state/errors';
import type { Clock } from '../state/ports';
import { retryKeyOf, type RetryOptions } from './retry-execution';
import {
  MAX_JOB_EXECUTIONS,
  MAX_RUNNING_JOBS,
  type FindRetries,
  type FindRetryable,
  type RetryFilter,
  type RetryJob,
  type RetryJobStore,
} from './retry-job';

/** Request to start a job. */
export interface RetryJobRequest {
  readonly filter: Omit<RetryFilter, 'to' | 'ownerId'> & { readonly to?: Date };
  readonly options: RetryOptions;
  readonly isDryRun: boolean;
  readonly idempotencyKey: string;
}

/** Result: the number of executions, and the job unless it was a dry run. */
export interface StartedRetryJob {
  readonly matched: number;
  readonly job?: RetryJob;
}

/**
 * Starts a job, or counts what it would retry.
 * @throws InvalidRequest, Forbidden, RetryTooMany, TooManyRetryJobs, RetryJobKeyReused
 */
export type StartRetryJob = (request: RetryJobRequest, principal: Principal | undefined) => Promise<StartedRetryJob>;

/** Ports of starting jobs. */
export interface StartRetryJobPorts {
  readonly jobs: RetryJobStore;
  readonly findRetryable: FindRetryable;
  readonly findRetries: FindRetries;
  readonly clock: Clock;
}

const PAGE = 500;
const MAX_REASON = 100;

const checkFilter = ({ filter }: RetryJobRequest): void => {
  const invalid = (field: string, message: string): InvalidRequest =>
    new InvalidRequest('The filter is not valid.', [{ field: `filter.${field}`, message }]);
  if (filter.workflowId !== undefined && !isUuid(filter.workflowId))
    throw invalid('workflowId', 'must be the id of a workflow.');
  if ((filter.reason ?? '').length > MAX_REASON) throw invalid('reason', `must have at most ${MAX_REASON} characters.`);
  if (filter.reason !== undefined && filter.status === 'success')
    throw invalid('reason', 'is only for executions that failed.');
  if (filter.from !== undefined && filter.to !== undefined && filter.from >= filter.to)
    throw invalid('to', 'must be later than from.');
};

/** Executions that have not been retried yet, up to one above the maximum of a job. */
const countMatches = async (
  filter: RetryFilter,
  { findRetryable, findRetries }: StartRetryJobPorts,
): Promise<number> => {
  let matched = 0;
  for (let after = ''; matched <= MAX_JOB_EXECUTIONS;) {
    const ids = await findRetryable(filter, after, PAGE);
    const retries = await findRetries(ids);
    matched += ids.filter((id) => !retries.has(id)).length;
    if (ids.length < PAGE) return matched;
    after = ids.at(-1) ?? '';
  }
  return matched;
};

const hashOf = ({ filter, options }: RetryJobRequest): string =>
  createHash('sha256')
    .update(JSON.stringify([filter, options]))
    .digest('base64url');

const sameJob = (job: RetryJob, requestHash: string): StartedRetryJob => {
  if (job.requestHash !== requestHash) throw new RetryJobKeyReused(job.id);
  return { matched: job.matched, job };
};

/** Starts jobs. Executions accepted after its start, including its retries, are not part of a job. */
export const createStartRetryJob =
  (ports: StartRetryJobPorts): StartRetryJob =>
  async (request, principal) => {
    if (principal === undefined) throw new Forbidden('Only a user may do this.');
    checkFilter(request);
    const { jobs, clock } = ports;
    const idempotencyKey = retryKeyOf(request.idempotencyKey, principal);
    const requestHash = hashOf(request);
    const known = idempotencyKey === '' || request.isDryRun ? undefined : await jobs.findByKey(idempotencyKey);
    if (known !== undefined) return sameJob(known, requestHash);
    const now = new Date(clock());
    const { to = now, ...rest } = request.filter;
    const filter: RetryFilter = {
      ...rest,
      to: to < now ? to : now,
      ...(principal.role === 'editor' ? { ownerId: principal.userId } : {}),
    };
    const matched = await countMatches(filter, ports);
    if (request.isDryRun) return { matched };
    if (matched > MAX_JOB_EXECUTIONS) throw new RetryTooMany(MAX_JOB_EXECUTIONS);
    if ((await jobs.countRunning()) >= MAX_RUNNING_JOBS) throw new TooManyRetryJobs(MAX_RUNNING_JOBS);
    const job: RetryJob = {
      id: uuidv7(),
      user: { userId: principal.userId, role: principal.role },
      filter,
      options: request.options,
      state: 'running',
      matched,
      retried: 0,
      refused: 0,
      skipped: 0,
      refusals: [],
      after: '',
      dueAt: now,
      ...(idempotencyKey === '' ? {} : { idempotencyKey }),
      requestHash,
      createdAt: now,
    };
    const holder = await jobs.insert(job);
    return holder === undefined ? { matched, job } : sameJob(holder, requestHash);
  };
