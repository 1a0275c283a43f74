import type { ScheduleRule } from '@weft/node-catalogue';
import { fitsEveryHour } from './cron-times';
import { nextWallTime, type ClockRule } from './wall-times';
import { instantOf, nextChange, offsetAt, wallAt } from './zone';

/**
 * Maximum attempts to get past a clock change: an hour that occurs twice has 3,600 seconds, and few zones shift by
 * more.
 */
const MAX_TRIES = 10_000;

/** Rules that repeat within every hour continue through a clock change as if nothing had happened. */
const runsThrough = (rule: ClockRule): boolean => {
  switch (rule.kind) {
    case 'everySeconds':
    case 'everyMinutes':
      return true;
    case 'everyHours':
      return rule.every === 1;
    case 'cron':
      return fitsEveryHour(rule.expression);
    case 'everyDays':
    case 'everyWeeks':
    case 'everyMonths':
      return false;
  }
};

/** Steps from one clock change to the next; between two of them clock and time run alike. */
const nextRunningThrough = (rule: ClockRule, zone: string, after: number): number | undefined => {
  let start = after;
  let above = after;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const offset = offsetAt(zone, start);
    const wall = nextWallTime(rule, above + offset, undefined);
    if (wall === undefined) return undefined;
    const change = nextChange(zone, start, wall - offset);
    if (change === undefined) return wall - offset;
    start = change;
    // The instant of the change itself may be due.
    above = change - 1;
  }
  return undefined;
};

/** Times of day: skipped ones are due right after the gap, repeated ones once. */
const nextTimeOfDay = (
  rule: ClockRule,
  zone: string,
  after: number,
  lastDue: number | undefined,
): number | undefined => {
  const last = lastDue === undefined ? undefined : wallAt(zone, lastDue);
  for (let tries = 0, from = wallAt(zone, after); tries < MAX_TRIES; tries += 1) {
    const wall = nextWallTime(rule, from, last);
    if (wall === undefined) return undefined;
    const instant = instantOf(zone, wall);
    if (instant > after) return instant;
    from = wall;
  }
  return undefined;
};

/**
 * When a rule is due next after an instant, by the clock of an IANA zone. Rules that repeat within every hour (seconds,
 * minutes, every hour, cron with every hour) run through clock changes. All others name times of day: if the clock
 * skips one it is due at the first valid instant, and if the clock repeats one it is due once.
 * @param lastDue the last due time, from which days, weeks, months or hours are counted
 * @returns undefined if it is never due again
 */
export const nextDue = (rule: ScheduleRule, zone: string, after: Date, lastDue?: Date): Date | undefined => {
  const now = after.getTime();
  if (rule.kind === 'fixedDelay') {
    const start = lastDue?.getTime() ?? now;
    const step = rule.seconds * 1_000;
    return new Date(start + Math.max(1, Math.floor((now - start) / step) + 1) * step);
  }
  const next = runsThrough(rule)
    ? nextRunningThrough(rule, zone, now)
    : nextTimeOfDay(rule, zone, now, lastDue?.getTime());
  return next === undefined ? undefined : new Date(next);
};
