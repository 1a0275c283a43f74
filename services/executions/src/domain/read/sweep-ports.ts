import type { EndedExecution, ExecutionRecord } from '../state/execution';
import type { Expired } from '../state/free-writes';

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

/** Finds at most `most` executions that something is due for. @throws Unavailable */
export interface FindDue {
  /** Everything that runs, the oldest renewal first. */
  readonly running: (most: number) => Promise<readonly Expired[]>;
  readonly pastDeadline: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly dueWaits: (now: Date, most: number) => Promise<readonly Swept[]>;
  readonly unclaimed: (now: Date, most: number) => Promise<readonly Swept[]>;
  /** Queued ones behind an id, in the order of their ids. */
  readonly queuedAfter: (after: string, most: number) => Promise<readonly Swept[]>;
  readonly duePostRunActions: (now: Date, most: number) => Promise<readonly EndedExecution[]>;
}

/** Puts the publication of queued executions off that are due for it, as one that was made. @throws Unavailable */
export type PostponePublication = (ids: readonly string[], now: Date, next: Date) => Promise<void>;

/**
 * Division of due work among the replicas. A hint that saves work, never a lock: every change is a
 * compare-and-set.
 */
export interface Share {
  /** Replicas that are alive, this one included. */
  readonly count: () => number;
  /** True if this replica is responsible for the id. */
  readonly isMine: (id: string) => boolean;
}

/** Time at which the oldest message of each queue that no runner was given yet was published; undefined: none waits. */
export interface OldestWaiting {
  readonly queue: Date | undefined;
  /** Of the queue for owners who have many executions before the runners. */
  readonly overflow: Date | undefined;
  /** Of the queue for executions over which a runner died. */
  readonly isolated: Date | undefined;
}

/** Numbers of executions that have not ended. */
export interface QueueState {
  readonly queued: number;
  readonly running: number;
  readonly waiting: number;
  /** Acceptance of the oldest one that no runner has claimed yet; absent: every one was claimed. */
  readonly oldestAt?: Date;
}

/** Counts executions that have not ended, at most so many of each state. @throws Unavailable */
export type ReadQueueState = (most: number) => Promise<QueueState>;
