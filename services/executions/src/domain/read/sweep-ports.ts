import type { EndedExecution, ExecutionRecord } from '../state/execution';
import type { Expired } from '../state/lease-end';

/** Fields of an execution that the sweeper reads. */
export type Swept = Pick<
  ExecutionRecord,
  | '_id'
  | 'ownerId'
  | 'fence'
  | 'generation'
  | 'republished'
  | 'wait'
  | 'publishAt'
  | 'notBefore'
  | 'runsAlone'
  | 'deadlineAt'
  | 'retentionMs'
>;

/** Finds at most `most` executions with due work. @throws Unavailable */
export interface FindDue {
  /** All running executions, the oldest renewal first. */
  readonly running: (most: number) => Promise<readonly Expired[]>;
  readonly pastDeadline: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly dueWaits: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly unclaimed: (now: Date, most: number) => Promise<readonly Swept[]>;
  /** Queued ones after an id, in order of id. */
  readonly queuedAfter: (after: string, most: number) => Promise<readonly Swept[]>;
  readonly dueCompletionHooks: (now: Date, most: number) => Promise<readonly EndedExecution[]>;
}

/** Postpones the due publication of queued executions, counting it as made. @throws Unavailable */
export type PostponePublication = (ids: readonly string[], now: Date, next: Date) => Promise<void>;

/** Division of due work among the replicas. A hint that saves work, never a lock: every change is a compare-and-set. */
export interface Share {
  /** Live replicas, including this one. */
  readonly count: () => number;
  /** True if this replica is responsible for the id. */
  readonly isMine: (id: string) => boolean;
}

/** Publication time of the oldest undelivered message of each queue; undefined: none waits. */
export interface OldestWaiting {
  readonly queue: Date | undefined;
  /** Of the queue for owners with many queued executions. */
  readonly overflow: Date | undefined;
  /** Of the queue for executions that crashed a runner. */
  readonly isolated: Date | undefined;
}

/** Numbers of executions that have not ended. */
export interface QueueState {
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  /** Acceptance time of the oldest unclaimed one; absent: all were claimed. */
  readonly oldestAt?: Date;
}

/** Counts executions that have not ended, up to a maximum of each state. @throws Unavailable */
export type ReadQueueState = (most: number) => Promise<QueueState>;
