import type { ServiceError } from '@weft/service-kit/errors';
import { scheduledInput } from './clock-item';
import type { DueWorkflow, ScheduleMove, ScheduleStore } from './ports';
import { nextDue } from './schedule/next-due';
import type { ScheduleEntry } from './workflow';

/** How old a due time may be for the run that makes up for it. */
export const CATCH_UP_MS = 24 * 3_600_000;

/** A start that a schedule asks for; the same due time always asks for the same start. */
export interface ScheduledStart {
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly node: string;
  readonly due: Date;
  /** JSON array of items. */
  readonly inputJson: string;
}

/** Starts executions, at most STARTS_MAX; for each, in order, undefined if it is started or why it is not. Rejects if nothing is known. */
export type StartScheduled = (starts: readonly ScheduledStart[]) => Promise<readonly (ServiceError | undefined)[]>;

/** Most starts of one call. */
export const STARTS_MAX = 500;

/** What firing needs. */
export interface FireSchedulesPorts {
  readonly schedules: ScheduleStore;
  readonly start: StartScheduled;
  readonly defaultTimezone: string;
  /** Told of a start that can never be made; the schedule goes on to its next due time. */
  readonly onRefused: (start: ScheduledStart, error: ServiceError) => void;
}

/** What is left after a turn. */
export interface Fired {
  /** There is more to fire now. */
  readonly hasMore: boolean;
  /** The first due time that was seen ahead; undefined: none within the horizon. */
  readonly nextAt: Date | undefined;
}

const PAGE = 100;
const PAGES_MAX = 10;

interface DueSchedule {
  readonly move: ScheduleMove;
  /** Undefined if all that was missed is too old: it only moves on. */
  readonly start: ScheduledStart | undefined;
}

/** Missed due times make one run, if any of them is young enough; it has the due time that the schedule still stands at. */
const toFire = (workflow: DueWorkflow, schedule: ScheduleEntry, due: Date, now: Date, zone: string): DueSchedule => {
  const { workflowId, activationId, versionId, ownerId } = workflow;
  const { node, index, rule } = schedule;
  const oldest = new Date(now.getTime() - CATCH_UP_MS);
  const youngest = due > oldest ? due : nextDue(rule, zone, oldest, due);
  const isWanted = youngest !== undefined && youngest <= now;
  return {
    move: { workflowId, activationId, node, index, due, nextAt: nextDue(rule, zone, now, due) },
    start: isWanted ? { workflowId, versionId, ownerId, node, due, inputJson: scheduledInput(schedule, due, zone) } : undefined,
  };
};

const RETRIED: readonly ServiceError['kind'][] = ['unavailable', 'timeout', 'limited', 'internal'];

/** Several rules of one node that are due together ask for one start. */
const keyOf = ({ workflowId, node, due }: ScheduledStart): string => `${workflowId} ${due.getTime()} ${node}`;

/**
 * Starts what is due and moves each schedule on to its next due time. A start that fails in passing leaves its schedule
 * where it is: the next turn repeats it under the same key, so a due time is started once, however many replicas and
 * turns try.
 */
export const createFireSchedules = ({ schedules, start, defaultTimezone, onRefused }: FireSchedulesPorts) => {
  let afterId: string | undefined;

  const startAll = async (starts: readonly ScheduledStart[]): Promise<Map<string, boolean>> => {
    const isSettled = new Map<string, boolean>();
    for (let from = 0; from < starts.length; from += STARTS_MAX) {
      const batch = starts.slice(from, from + STARTS_MAX);
      const errors = await start(batch);
      batch.forEach((one, index) => {
        const error = errors[index];
        isSettled.set(keyOf(one), error === undefined || !RETRIED.includes(error.kind));
        // A reused key means that an earlier try came through, with the version of that time.
        if (error !== undefined && !RETRIED.includes(error.kind) && error.reason !== 'IDEMPOTENCY_KEY_REUSED') onRefused(one, error);
      });
    }
    return isSettled;
  };

  const firePage = async (due: readonly DueSchedule[]): Promise<void> => {
    const starts = new Map(due.flatMap((one) => (one.start === undefined ? [] : [[keyOf(one.start), one.start] as const])));
    const isSettled = await startAll([...starts.values()]);
    const moves = due.filter((one) => one.start === undefined || isSettled.get(keyOf(one.start)) === true).map((one) => one.move);
    if (moves.length > 0) await schedules.moveOn(moves);
  };

  /** One turn. @param horizonMs how far ahead due times are looked for. */
  return async (now: Date, horizonMs: number): Promise<Fired> => {
    const until = new Date(now.getTime() + horizonMs);
    let nextAt: Date | undefined;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const found = await schedules.findDue(until, afterId, PAGE);
      const due: DueSchedule[] = [];
      for (const workflow of found) {
        for (const schedule of workflow.schedules) {
          if (schedule.nextAt === undefined || schedule.nextAt > until) continue;
          if (schedule.nextAt <= now) due.push(toFire(workflow, schedule, schedule.nextAt, now, schedule.timezone ?? defaultTimezone));
          else if (nextAt === undefined || schedule.nextAt < nextAt) nextAt = schedule.nextAt;
        }
      }
      // The place is kept over turns, so that schedules whose starts fail do not hold up those behind them.
      afterId = found.length < PAGE ? undefined : found.at(-1)?.workflowId;
      await firePage(due);
      if (afterId === undefined) return { hasMore: false, nextAt };
    }
    return { hasMore: true, nextAt };
  };
};

/** One turn of firing. */
export type FireSchedules = ReturnType<typeof createFireSchedules>;
