import type { Principal } from '@weft/service-kit/auth';
import type { RetryOptions } from './retry-execution';

/** State of a job. */
export type RetryJobState = 'running' | 'done' | 'cancelled';

/** Filter of the executions that a job retries. */
export interface RetryFilter {
  readonly workflowId?: string;
  readonly status: 'error' | 'success';
  /** Of the failure. */
  readonly reason?: string;
  /** Accepted at this time or later. */
  readonly from?: Date;
  /** Accepted before this time. */
  readonly to: Date;
  /** Executions of one owner: an editor may retry no others. */
  readonly ownerId?: string;
}

/** Why an execution was not retried. */
export interface RetryRefusal {
  readonly executionId: string;
  readonly reason: string;
  readonly message: string;
}

/** A job that retries every execution of a filter once. */
export interface RetryJob {
  readonly id: string;
  /** User on whose behalf it runs. */
  readonly user: Principal;
  readonly filter: RetryFilter;
  readonly options: RetryOptions;
  readonly state: RetryJobState;
  /** Executions that matched the filter at the start. */
  readonly matched: number;
  readonly retried: number;
  readonly refused: number;
  readonly skipped: number;
  readonly refusals: readonly RetryRefusal[];
  /** The last processed execution; empty: none. */
  readonly after: string;
  /** Time at which it continues; absent once it has ended. */
  readonly dueAt?: Date;
  readonly idempotencyKey?: string;
  readonly requestHash: string;
  readonly createdAt: Date;
  readonly finishedAt?: Date;
}

/** A step of a job: increments of the counts, the new cursor, and whether there is more. */
export interface RetryJobStep {
  readonly retried: number;
  readonly refused: number;
  readonly skipped: number;
  readonly refusals: readonly RetryRefusal[];
  readonly after: string;
  readonly next: { readonly dueAt: Date } | { readonly finishedAt: Date };
}

/** Store of jobs. Every method throws Unavailable if the store cannot be reached. */
export interface RetryJobStore {
  /** The job with the same key, if any. */
  readonly insert: (job: RetryJob) => Promise<RetryJob | undefined>;
  readonly find: (id: string) => Promise<RetryJob | undefined>;
  readonly findByKey: (idempotencyKey: string) => Promise<RetryJob | undefined>;
  /** Newest first; `ofOneOwner`: without jobs across all owners. */
  readonly page: (afterId: string | undefined, limit: number, ofOneOwner?: boolean) => Promise<RetryJob[]>;
  readonly countRunning: () => Promise<number>;
  readonly due: (now: Date, limit: number) => Promise<RetryJob[]>;
  /** Leases a job for a while. False if another replica has it. */
  readonly take: (id: string, dueAt: Date, until: Date) => Promise<boolean>;
  /** Writes a step, if the job runs and its cursor is unchanged since the step began. */
  readonly advance: (id: string, after: string, step: RetryJobStep) => Promise<void>;
  readonly cancel: (id: string, finishedAt: Date) => Promise<void>;
}

/** Ids of matching executions after an id, the oldest first; at most `most`. */
export type FindRetryable = (filter: RetryFilter, after: string, most: number) => Promise<readonly string[]>;

/** The dedupe keys of retries, by original execution; empty for a retry without one. */
export type FindRetries = (executionIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** The dedupe key of a retry by a job: repetitions create it only once. */
export const jobRetryKey = (jobId: string, executionId: string): string => `job:${jobId}:${executionId}`;

/** Maximum number of executions per job. */
export const MAX_JOB_EXECUTIONS = 10_000;

/** Maximum number of concurrent jobs of the instance. */
export const MAX_RUNNING_JOBS = 10;

/** Maximum number of refusals stored per job. */
export const MAX_REFUSALS = 20;
