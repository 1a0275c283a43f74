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
  /** Those of one owner: of an editor, who may retry no others. */
  readonly ownerId?: string;
}

/** Reason for which an execution was not retried. */
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
  /** Executions of the filter at the start. */
  readonly matched: number;
  readonly retried: number;
  readonly refused: number;
  readonly skipped: number;
  readonly refusals: readonly RetryRefusal[];
  /** The execution up to which it is done; empty: none. */
  readonly after: string;
  /** Time at which it continues; absent once it has ended. */
  readonly dueAt?: Date;
  readonly idempotencyKey?: string;
  readonly requestHash: string;
  readonly createdAt: Date;
  readonly finishedAt?: Date;
}

/** A step of a job: counts that are added, the cursor that was reached, and whether there is more. */
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
  /** The job of the same key, if there is one. */
  readonly insert: (job: RetryJob) => Promise<RetryJob | undefined>;
  readonly find: (id: string) => Promise<RetryJob | undefined>;
  readonly findByKey: (idempotencyKey: string) => Promise<RetryJob | undefined>;
  /** Newest first; `ofOneOwner`: without those that take executions of everybody. */
  readonly page: (afterId: string | undefined, limit: number, ofOneOwner?: boolean) => Promise<RetryJob[]>;
  readonly countRunning: () => Promise<number>;
  readonly due: (now: Date, limit: number) => Promise<RetryJob[]>;
  /** Takes a job for a while. False if another replica has. */
  readonly take: (id: string, dueAt: Date, until: Date) => Promise<boolean>;
  /** Writes a step, if the job runs and is still at the point where the step began. */
  readonly advance: (id: string, after: string, step: RetryJobStep) => Promise<void>;
  readonly cancel: (id: string, finishedAt: Date) => Promise<void>;
}

/** Ids of executions of a filter behind an id, the oldest first; at most `most`. */
export type FindRetryable = (filter: RetryFilter, after: string, most: number) => Promise<readonly string[]>;

/** The dedupe keys of retries of executions, by the execution; empty for a retry without one. */
export type FindRetries = (executionIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** Names the retry of an execution by a job: however often it is made, it is one. */
export const jobRetryKey = (jobId: string, executionId: string): string => `job:${jobId}:${executionId}`;

/** Executions that one job may retry. */
export const MAX_JOB_EXECUTIONS = 10_000;

/** Jobs of the instance that may run at once. */
export const MAX_RUNNING_JOBS = 10;

/** Refusals that a job stores. */
export const MAX_REFUSALS = 20;

/** The smallest id that an execution accepted at this time can have: ids are UUIDs of version 7. */
export const idAt = (time: Date): string => {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7000-8000-000000000000`;
};
