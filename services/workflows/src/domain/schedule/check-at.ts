import type { ScheduleEntry } from '../workflow';

/** When a schedule is to be looked at: at its next due time, or when that is tried again. */
export const checkAtOf = ({ nextAt, trouble }: ScheduleEntry): Date | undefined =>
  nextAt === undefined ? undefined : (trouble?.retryAt ?? nextAt);

/** When the first of several is to be looked at; undefined: never. */
export const firstCheckAt = (schedules: readonly ScheduleEntry[]): Date | undefined => {
  const times = schedules.flatMap((schedule) => checkAtOf(schedule)?.getTime() ?? []);
  return times.length === 0 ? undefined : new Date(Math.min(...times));
};
