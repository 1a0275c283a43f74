import type { ScheduleEntry } from '../workflow';

/** How far a backfill is. `failed`: its first starts were all refused, or its workflow is gone. */
export type BackfillState = 'running' | 'done' | 'cancelled' | 'failed';

/** Runs of the due times of a period. */
export interface Backfill {
  readonly id: string;
  readonly workflowId: string;
  readonly from: Date;
  readonly to: Date;
  /** Undefined: all nodes. */
  readonly node?: string;
  /** Most of its runs at a time. */
  readonly concurrency: number;
  /** The schedules as they were when it was asked for: its due times stay what they were. */
  readonly schedules: readonly ScheduleEntry[];
  readonly state: BackfillState;
  /** Due times of the period. */
  readonly total: number;
  /** Due times that it has gone by, in their order; the mark of compare-and-set. */
  readonly position: number;
  readonly started: number;
  readonly existing: number;
  readonly refused: number;
  /** Why the last refused one was refused. */
  readonly reason?: string;
  readonly message?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a step changes. */
export type BackfillProgress = Pick<Backfill, 'state' | 'position' | 'started' | 'existing' | 'refused'> & {
  readonly reason?: string;
  readonly message?: string;
};

/** Where backfills are remembered. Every method throws Unavailable if the store cannot be reached. */
export interface BackfillStore {
  readonly insert: (backfill: Backfill) => Promise<void>;
  readonly find: (id: string) => Promise<Backfill | undefined>;
  /** Newest first. */
  readonly ofWorkflow: (workflowId: string, limit: number) => Promise<Backfill[]>;
  readonly countRunning: (workflowId: string, limit: number) => Promise<number>;
  /** Those that are under way, the one first that was looked at the longest ago. */
  readonly running: (limit: number) => Promise<Backfill[]>;
  /** Compare-and-set: only if it is under way and stands at `position`. */
  readonly goOn: (id: string, position: number, progress: BackfillProgress) => Promise<boolean>;
}

/** Most due times of one backfill. */
export const MAX_DUE_TIMES = 10_000;

/** Most backfills of one workflow under way. */
export const MAX_RUNNING = 3;

/** Most runs of one backfill at a time. */
export const MAX_CONCURRENCY = 20;
