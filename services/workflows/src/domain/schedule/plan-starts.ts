import type { ScheduleEntry } from '../workflows/workflow';
import { nextDue } from './next-due';

/** Maximum age of a missed due time that is still run. */
export const CATCH_UP_MS = 24 * 3_600_000;

/** Maximum delay of a start under `skip`; after that the due time counts as missed. */
export const ON_TIME_MS = 60_000;

/** Maximum number of catch-up runs under `all`. */
export const MAX_CATCH_UP = 100;

/** Reason for which a run waits under `buffer-one`. */
export const OVERLAPS = 'EXECUTION_OVERLAPS';

/** Starts of a due schedule. */
export interface PlannedStarts {
  /** Due times to start, in their order. */
  readonly starts: readonly Date[];
  /** The following due time; undefined: never again. */
  readonly nextAt: Date | undefined;
}

/** The first due time of a schedule, from its current one on, that is not older than `age`. */
const youngEnough = (
  { rule }: ScheduleEntry,
  zone: string,
  standsAt: Date,
  now: Date,
  age: number,
): Date | undefined => {
  const oldest = new Date(now.getTime() - age);
  const first = standsAt > oldest ? standsAt : nextDue(rule, zone, oldest, standsAt);
  return first === undefined || first > now ? undefined : first;
};

const allMissed = ({ rule }: ScheduleEntry, zone: string, first: Date | undefined, now: Date): Date[] => {
  const times: Date[] = [];
  for (
    let due = first;
    due !== undefined && due <= now && times.length < MAX_CATCH_UP;
    due = nextDue(rule, zone, due, due)
  )
    times.push(due);
  return times;
};

/**
 * The due times that a schedule catches up on under its policy. One run for all missed times uses the schedule's
 * current due time, so that every tick makes the same start.
 */
const missedTimes = (schedule: ScheduleEntry, standsAt: Date, now: Date, zone: string): readonly Date[] => {
  // It was on time, and has been waiting for the previous run since.
  if (schedule.trouble?.reason === OVERLAPS && schedule.overlap === 'buffer-one') return [standsAt];
  switch (schedule.missed) {
    case 'coalesce':
      return youngEnough(schedule, zone, standsAt, now, CATCH_UP_MS) === undefined ? [] : [standsAt];
    case 'skip': {
      const first = youngEnough(schedule, zone, standsAt, now, ON_TIME_MS);
      return first === undefined ? [] : [first];
    }
    case 'all':
      return allMissed(schedule, zone, youngEnough(schedule, zone, standsAt, now, CATCH_UP_MS), now);
  }
};

/** Plans the starts of a schedule at a due time. */
export const planStarts = (schedule: ScheduleEntry, standsAt: Date, now: Date, zone: string): PlannedStarts => {
  const starts = missedTimes(schedule, standsAt, now, zone);
  return { starts, nextAt: nextDue(schedule.rule, zone, now, starts.at(-1) ?? standsAt) };
};
