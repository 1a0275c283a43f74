import { isRetryable, toServiceError, type ServiceError } from '@weft/service-kit/errors';
import type { Clock } from '../state/ports';
import type { RetryExecution } from './retry-execution';
import {
  jobRetryKey,
  MAX_REFUSALS,
  type FindRetries,
  type FindRetryable,
  type RetryJob,
  type RetryJobStep,
  type RetryJobStore,
} from './retry-job';

/** Ports of running jobs. */
export interface RunRetryJobsPorts {
  readonly jobs: RetryJobStore;
  readonly findRetryable: FindRetryable;
  readonly findRetries: FindRetries;
  readonly retry: RetryExecution;
  readonly clock: Clock;
}

/** Executions per step. */
const STEP = 20;
/** Concurrent retries. */
const TOGETHER = 5;
/** Jobs per pass. */
const JOBS = 5;
/** Milliseconds between two steps of a job: together with STEP, its rate. */
const PAUSE_MS = 1_000;
/** Delay before a job continues after a full queue or an unavailable service. */
const LATER_MS = 5_000;
/**
 * Time for which a replica leases a job. If a step takes longer, another replica may repeat it, which only costs work.
 */
const TAKEN_MS = 10_000;

type Outcome =
  | { readonly kind: 'retried' }
  | { readonly kind: 'skipped' }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  | { readonly kind: 'later' };

const retryOne = async (
  job: RetryJob,
  executionId: string,
  earlier: readonly string[],
  { retry }: RunRetryJobsPorts,
): Promise<Outcome> => {
  const idempotencyKey = jobRetryKey(job.id, executionId);
  if (earlier.some((key) => key !== idempotencyKey)) return { kind: 'skipped' };
  try {
    await retry({ executionId, ...job.options, idempotencyKey }, job.user);
    return { kind: 'retried' };
  } catch (thrown) {
    const error = toServiceError(thrown);
    if (error.reason === 'EXECUTION_NOT_FOUND') return { kind: 'skipped' };
    return isRetryable(error.kind) ? { kind: 'later' } : { kind: 'refused', error };
  }
};

interface Progress {
  readonly counts: { retried: number; refused: number; skipped: number };
  readonly refusals: { executionId: string; reason: string; message: string }[];
  after: string;
}

/** Adds the outcomes of a few executions. Steps are atomic: repeating one retries nothing twice. */
const add = (progress: Progress, ids: readonly string[], outcomes: readonly Outcome[]): void => {
  outcomes.forEach((outcome, index) => {
    if (outcome.kind === 'later') return;
    progress.counts[outcome.kind] += 1;
    if (outcome.kind === 'refused')
      progress.refusals.push({
        executionId: ids[index] ?? '',
        reason: outcome.error.reason,
        message: outcome.error.message.slice(0, 1_000),
      });
  });
  progress.after = ids.at(-1) ?? progress.after;
};

const step = async (job: RetryJob, ports: RunRetryJobsPorts): Promise<RetryJobStep> => {
  const { findRetryable, findRetries, clock } = ports;
  const ids = await findRetryable(job.filter, job.after, STEP);
  const earlier = await findRetries(ids);
  const progress: Progress = { counts: { retried: 0, refused: 0, skipped: 0 }, refusals: [], after: job.after };
  const result = (next: RetryJobStep['next']): RetryJobStep => ({
    ...progress.counts,
    refusals: progress.refusals.slice(0, Math.max(0, MAX_REFUSALS - job.refusals.length)),
    after: progress.after,
    next,
  });
  for (let from = 0; from < ids.length; from += TOGETHER) {
    const part = ids.slice(from, from + TOGETHER);
    const outcomes = await Promise.all(part.map((id) => retryOne(job, id, earlier.get(id) ?? [], ports)));
    if (outcomes.some(({ kind }) => kind === 'later')) return result({ dueAt: new Date(clock() + LATER_MS) });
    add(progress, part, outcomes);
  }
  return result(ids.length < STEP ? { finishedAt: new Date(clock()) } : { dueAt: new Date(clock() + PAUSE_MS) });
};

/**
 * Runs jobs step by step. A step is written when it is complete, by a compare-and-set on its cursor; after a crash it
 * is repeated, and finds its existing retries by their keys.
 */
export const createRunRetryJobs = (ports: RunRetryJobsPorts) => async (): Promise<void> => {
  const { jobs, clock } = ports;
  for (const job of await jobs.due(new Date(clock()), JOBS)) {
    if (job.dueAt === undefined || !(await jobs.take(job.id, job.dueAt, new Date(clock() + TAKEN_MS)))) continue;
    await jobs.advance(job.id, job.after, await step(job, ports));
  }
};
