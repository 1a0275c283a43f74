import type { ScheduleEntry } from '../workflows/workflow';
import { nextDue } from './next-due';

/** A time at which a node is due. */
export interface DueTime {
  readonly due: Date;
  readonly schedule: ScheduleEntry;
  readonly zone: string;
}

/** A schedule and its current due time. */
interface Walker {
  readonly schedule: ScheduleEntry;
  readonly zone: string;
  due: Date | undefined;
}

/** Yields due times in order; rules of one node due at the same time yield one. */
function* walk(walkers: readonly Walker[]): Generator<DueTime, void> {
  for (;;) {
    let first: Walker | undefined;
    for (const walker of walkers)
      if (walker.due !== undefined && (first?.due === undefined || walker.due < first.due)) first = walker;
    if (first?.due === undefined) return;
    const { due, schedule, zone } = first;
    for (const walker of walkers) {
      if (walker.due?.getTime() === due.getTime() && walker.schedule.node === schedule.node)
        walker.due = nextDue(walker.schedule.rule, walker.zone, due, due);
    }
    yield { due, schedule, zone };
  }
}

/** The upcoming due times of schedules, starting with the current ones; usually endless. */
export const dueTimesAhead = (schedules: readonly ScheduleEntry[], defaultTimezone: string): Generator<DueTime, void> =>
  walk(schedules.map((schedule) => ({ schedule, zone: schedule.timezone ?? defaultTimezone, due: schedule.nextAt })));

/**
 * A fixed delay is counted from the schedule's current due time, so that overlapping periods have the same due times.
 */
const intervalBefore = ({ rule, nextAt, lastDue }: ScheduleEntry, time: Date): Date | undefined => {
  if (rule.kind !== 'fixedDelay') return undefined;
  const step = rule.seconds * 1_000;
  const anchor = (nextAt ?? lastDue)?.getTime() ?? 0;
  return new Date(time.getTime() - ((((time.getTime() - anchor) % step) + step) % step));
};

/**
 * The due times of schedules within a period, including both ends. Rules that count from the last due time start with
 * the period.
 */
export function* dueTimesWithin(
  schedules: readonly ScheduleEntry[],
  from: Date,
  to: Date,
  defaultTimezone: string,
): Generator<DueTime, void> {
  const before = new Date(from.getTime() - 1);
  const walkers = schedules.map((schedule) => {
    const zone = schedule.timezone ?? defaultTimezone;
    return { schedule, zone, due: nextDue(schedule.rule, zone, before, intervalBefore(schedule, before)) };
  });
  for (const time of walk(walkers)) {
    if (time.due > to) return;
    yield time;
  }
}

/** Time of the next check of a schedule: its next due time, or its retry. */
export const checkAtOf = ({ nextAt, trouble }: ScheduleEntry): Date | undefined =>
  nextAt === undefined ? undefined : (trouble?.retryAt ?? nextAt);

/** Earliest check of several schedules; undefined: never. */
export const firstCheckAt = (schedules: readonly ScheduleEntry[]): Date | undefined => {
  const times = schedules.flatMap((schedule) => checkAtOf(schedule)?.getTime() ?? []);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
};
