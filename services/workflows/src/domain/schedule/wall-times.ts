import type { ScheduleRule } from '@weft/node-catalogue';
import { nextCronTime } from './cron-times';

/** Rules that follow the wall clock. */
export type ClockRule = Exclude<ScheduleRule, { readonly kind: 'fixedDelay' }>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 1 January 1970 was a Thursday. */
const EPOCH_WEEKDAY = 4;
/** Number of months to search: if days 29 to 31 occur at any allowed distance, they do so within this time. */
const MAX_MONTHS = 2_400;

/** The next multiple of `unit` after a time whose number within the cycle is divisible by `every`. */
const nextInCycle = (after: number, unit: number, cycle: number, every: number): number => {
  const next = Math.floor(after / unit) + 1;
  const position = next % cycle;
  const rest = position % every;
  return (rest === 0 ? next : next + Math.min(every - rest, cycle - position)) * unit;
};

/** `mark`, advanced in steps until it is after `after`. */
const nextStep = (mark: number, step: number, after: number): number =>
  mark > after ? mark : mark + (Math.floor((after - mark) / step) + 1) * step;

const nextHours = (
  rule: Extract<ClockRule, { kind: 'everyHours' }>,
  after: number,
  last: number | undefined,
): number => {
  const shift = rule.minute * MINUTE;
  if (24 % rule.every === 0) return nextInCycle(after - shift, HOUR, 24, rule.every) + shift;
  if (last === undefined) return nextInCycle(after - shift, HOUR, 24, 1) + shift;
  const mark = Math.floor((last - shift) / HOUR) * HOUR + shift;
  return nextStep(mark + rule.every * HOUR, rule.every * HOUR, after);
};

const nextDays = (rule: Extract<ClockRule, { kind: 'everyDays' }>, after: number, last: number | undefined): number => {
  const shift = rule.hour * HOUR + rule.minute * MINUTE;
  if (last === undefined) return nextInCycle(after - shift, DAY, 1, 1) + shift;
  const mark = Math.floor(last / DAY) * DAY + shift;
  return nextStep(mark + rule.every * DAY, rule.every * DAY, after);
};

const weekOf = (day: number): number => Math.floor((day + EPOCH_WEEKDAY) / 7);

const nextWeeks = (
  rule: Extract<ClockRule, { kind: 'everyWeeks' }>,
  after: number,
  last: number | undefined,
): number | undefined => {
  const shift = rule.hour * HOUR + rule.minute * MINUTE;
  const first = Math.floor((after - shift) / DAY) + 1;
  const lastWeek = last === undefined ? undefined : weekOf(Math.floor(last / DAY));
  for (let day = first; day <= first + (rule.every + 1) * 7; day += 1) {
    const isInWeek = lastWeek === undefined || (weekOf(day) - lastWeek) % rule.every === 0;
    if (isInWeek && rule.weekdays.includes((day + EPOCH_WEEKDAY) % 7)) return day * DAY + shift;
  }
  return undefined;
};

const monthOf = (wall: number): number => {
  const date = new Date(wall);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

const nextMonths = (
  rule: Extract<ClockRule, { kind: 'everyMonths' }>,
  after: number,
  last: number | undefined,
): number | undefined => {
  const first = monthOf(after);
  const lastMonth = last === undefined ? undefined : monthOf(last);
  for (let month = first; month < first + MAX_MONTHS; month += 1) {
    const wall = Date.UTC(Math.floor(month / 12), month % 12, rule.dayOfMonth, rule.hour, rule.minute);
    const isInMonth = lastMonth === undefined || (month - lastMonth) % rule.every === 0;
    if (isInMonth && monthOf(wall) === month && wall > after) return wall;
  }
  return undefined;
};

/**
 * The first time after `after` at which a rule is due, on a clock without changes, as if it were UTC.
 * @param last the last due time on the same clock, from which days, weeks, months or hours are counted
 * @returns undefined if the rule is never due again
 */
export const nextWallTime = (rule: ClockRule, after: number, last: number | undefined): number | undefined => {
  switch (rule.kind) {
    case 'everySeconds':
      return nextInCycle(after, SECOND, 60, rule.every);
    case 'everyMinutes':
      return nextInCycle(after, MINUTE, 60, rule.every);
    case 'everyHours':
      return nextHours(rule, after, last);
    case 'everyDays':
      return nextDays(rule, after, last);
    case 'everyWeeks':
      return nextWeeks(rule, after, last);
    case 'everyMonths':
      return nextMonths(rule, after, last);
    case 'cron':
      return nextCronTime(rule.expression, after);
  }
};
