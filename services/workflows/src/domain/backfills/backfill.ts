import { ServiceError } from '@weft/service-kit/errors';
import type { ScheduleEntry } from '../workflows/workflow';

/** State of a backfill. `failed`: its first starts were all refused, or its workflow was deleted. */
export type BackfillState = 'running' | 'done' | 'cancelled' | 'failed';

/** A job that runs all due times of a period. */
export interface Backfill {
  readonly id: string;
  readonly workflowId: string;
  readonly from: Date;
  readonly to: Date;
  /** Undefined: all nodes. */
  readonly node?: string;
  /** Maximum concurrent runs. */
  readonly concurrency: number;
  /** Snapshot of the schedules at its creation, so that its due times do not change. */
  readonly schedules: readonly ScheduleEntry[];
  readonly state: BackfillState;
  /** Number of due times in the period. */
  readonly total: number;
  /** Number of due times completed so far, in order; compare-and-set uses it. */
  readonly position: number;
  readonly started: number;
  readonly existing: number;
  readonly refused: number;
  /** Error of the last refused start. */
  readonly reason?: string;
  readonly message?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Fields changed by a step. */
export type BackfillProgress = Pick<Backfill, 'state' | 'position' | 'started' | 'existing' | 'refused'> & {
  readonly reason?: string;
  readonly message?: string;
};

/** Store of backfills. Every method throws Unavailable if the database cannot be reached. */
export interface BackfillStore {
  readonly insert: (backfill: Backfill) => Promise<void>;
  readonly find: (id: string) => Promise<Backfill | undefined>;
  /** Newest first. */
  readonly ofWorkflow: (workflowId: string, limit: number) => Promise<Backfill[]>;
  /** Of all workflows, newest first; undefined: in any state, from the start. */
  readonly page: (state: BackfillState | undefined, beforeId: string | undefined, limit: number) => Promise<Backfill[]>;
  readonly countRunning: (workflowId: string, limit: number) => Promise<number>;
  /** Running backfills, the least recently checked first. */
  readonly running: (limit: number) => Promise<Backfill[]>;
  /** Compare-and-set: writes only if it is running and at `position`. */
  readonly advance: (id: string, position: number, progress: BackfillProgress) => Promise<boolean>;
}

/** Maximum due times of one backfill. */
export const MAX_DUE_TIMES = 10_000;

/** Maximum running backfills of one workflow. */
export const MAX_RUNNING = 3;

/** Maximum concurrent runs of one backfill. */
export const MAX_CONCURRENCY = 20;

/** No backfill has this id, or it has expired. */
export class BackfillNotFound extends ServiceError {
  constructor(backfillId: string) {
    const shown = backfillId.slice(0, 100);
    super({
      reason: 'BACKFILL_NOT_FOUND',
      kind: 'not-found',
      message: `No backfill has the id ${shown}.`,
      details: { backfillId: shown },
    });
  }
}

/** The workflow has reached its limit of running backfills. */
export class TooManyBackfills extends ServiceError {
  constructor(workflowId: string) {
    super({
      reason: 'TOO_MANY_BACKFILLS',
      kind: 'precondition',
      message: `${MAX_RUNNING} backfills of this workflow are already running. Wait until one is done, or cancel one.`,
      details: { workflowId, limit: String(MAX_RUNNING) },
    });
  }
}
