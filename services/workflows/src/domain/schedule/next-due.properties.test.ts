import type { ScheduleRule } from '@weft/node-catalogue';
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { nextDue } from './next-due';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Casablanca', 'America/Santiago', 'Pacific/Auckland'];
/** Days of 2026 around which the clocks of these zones change, and two ordinary ones. */
const DAYS = ['2026-02-15', '2026-03-08', '2026-03-22', '2026-03-29', '2026-04-05', '2026-06-15', '2026-09-06', '2026-09-27', '2026-10-04', '2026-10-25', '2026-11-01'];

const zones = fc.constantFrom(...ZONES);
const instants = fc.tuple(fc.constantFrom(...DAYS), fc.integer({ min: -DAY, max: 2 * DAY })).map(([day, shift]) => Date.parse(`${day}T00:00:00Z`) + shift);
const minutes = fc.integer({ min: 0, max: 59 });
const hours = fc.integer({ min: 0, max: 23 });

/** A rule whose due times lie on full minutes at most a day apart, told in a second way: which times of the clock it means. */
interface Told {
  readonly rule: ScheduleRule;
  readonly isMeant: (hour: number, minute: number) => boolean;
  readonly runsThrough: boolean;
}

const told: fc.Arbitrary<Told> = fc.oneof(
  fc.integer({ min: 1, max: 59 }).map((every): Told => ({ rule: { kind: 'everyMinutes', every }, isMeant: (_, minute) => minute % every === 0, runsThrough: true })),
  fc.tuple(fc.constantFrom(1, 2, 3, 4, 6, 8, 12, 24), minutes).map(([every, at]): Told => (
    { rule: { kind: 'everyHours', every, minute: at }, isMeant: (hour, minute) => hour % every === 0 && minute === at, runsThrough: every === 1 })),
  fc.tuple(hours, minutes).map(([at, minuteAt]): Told => (
    { rule: { kind: 'everyDays', every: 1, hour: at, minute: minuteAt }, isMeant: (hour, minute) => hour === at && minute === minuteAt, runsThrough: false })),
  fc.tuple(fc.uniqueArray(hours, { minLength: 1, maxLength: 5 }), fc.uniqueArray(minutes, { minLength: 1, maxLength: 5 })).map(([at, minutesAt]): Told => (
    { rule: { kind: 'cron', expression: `${minutesAt.join(',')} ${at.join(',')} * * *` }, isMeant: (hour, minute) => at.includes(hour) && minutesAt.includes(minute), runsThrough: false })),
  fc.uniqueArray(minutes, { minLength: 1, maxLength: 5 }).map((minutesAt): Told => (
    { rule: { kind: 'cron', expression: `${minutesAt.join(',')} * * * *` }, isMeant: (_, minute) => minutesAt.includes(minute), runsThrough: true })),
);

/** Walks the clock minute by minute and watches it jump. */
const walk = ({ isMeant, runsThrough }: Told, zone: string, after: number): number => {
  const wallAt = (instant: number): number => instant + DateTime.fromMillis(instant, { zone }).offset * MINUTE;
  const isMeantAt = (wall: number): boolean => isMeant(Math.floor((wall % DAY) / (60 * MINUTE)), (wall % (60 * MINUTE)) / MINUTE);
  const start = Math.floor(after / MINUTE) * MINUTE - DAY;
  let highest = wallAt(start);
  for (let instant = start + MINUTE; instant < after + 4 * DAY; instant += MINUTE) {
    const wall = wallAt(instant);
    const shown = runsThrough ? [wall] : Array.from({ length: Math.max(0, (wall - highest) / MINUTE) }, (_, index) => highest + (index + 1) * MINUTE);
    highest = Math.max(highest, wall);
    if (instant > after && shown.some(isMeantAt)) return instant;
  }
  throw new Error('The walk found nothing.');
};

describe('the next due time', () => {
  it('is what a walk along the clock finds', () => {
    fc.assert(fc.property(told, zones, instants, (one, zone, after) => {
      expect(nextDue(one.rule, zone, new Date(after))?.getTime()).toBe(walk(one, zone, after));
    }), { numRuns: 150 });
  });

  it('is the same from every instant before it, and lies ahead', () => {
    const rules = fc.oneof(
      told.map(({ rule }) => rule),
      fc.tuple(fc.integer({ min: 1, max: 30 }), hours, minutes).map(([every, hour, minute]): ScheduleRule => ({ kind: 'everyDays', every, hour, minute })),
      fc.tuple(fc.integer({ min: 1, max: 60 }), minutes).map(([every, minute]): ScheduleRule => ({ kind: 'everyHours', every, minute })),
      fc.tuple(fc.integer({ min: 1, max: 8 }), fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), hours).map(([every, weekdays, hour]): ScheduleRule => (
        { kind: 'everyWeeks', every, weekdays, hour, minute: 0 })),
      fc.tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 28 }), hours).map(([every, dayOfMonth, hour]): ScheduleRule => (
        { kind: 'everyMonths', every, dayOfMonth, hour, minute: 30 })),
      fc.integer({ min: 1, max: 100_000 }).map((seconds): ScheduleRule => ({ kind: 'fixedDelay', seconds })),
      fc.integer({ min: 1, max: 59 }).map((every): ScheduleRule => ({ kind: 'everySeconds', every })),
    );
    fc.assert(fc.property(rules, zones, instants, fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), (rule, zone, start, part) => {
      const last = nextDue(rule, zone, new Date(start));
      if (last === undefined) throw new Error('never due');
      const next = nextDue(rule, zone, last, last);
      if (next === undefined) throw new Error('never due');
      expect(next.getTime()).toBeGreaterThan(last.getTime());
      const between = new Date(last.getTime() + Math.floor(part * (next.getTime() - last.getTime())));
      expect(nextDue(rule, zone, between, last)).toEqual(next);
    }), { numRuns: 500 });
  });

  it('keeps its distance in days, weeks and months by the calendar', () => {
    fc.assert(fc.property(zones, instants, fc.integer({ min: 1, max: 20 }), hours, minutes, (zone, start, every, hour, minute) => {
      const chain = (rule: ScheduleRule): [DateTime, DateTime] => {
        const first = nextDue(rule, zone, new Date(start)) ?? new Date(NaN);
        const second = nextDue(rule, zone, first, first) ?? new Date(NaN);
        return [DateTime.fromJSDate(first, { zone }).startOf('day'), DateTime.fromJSDate(second, { zone }).startOf('day')];
      };
      const [day, laterDay] = chain({ kind: 'everyDays', every, hour, minute });
      expect(Math.round(laterDay.diff(day, 'days').days)).toBe(every);
      const [week, laterWeek] = chain({ kind: 'everyWeeks', every, weekdays: [3], hour, minute });
      expect(Math.round(laterWeek.diff(week, 'weeks').weeks)).toBe(every);
      const [month, laterMonth] = chain({ kind: 'everyMonths', every, dayOfMonth: 7, hour, minute });
      expect([laterMonth.day, (laterMonth.year - month.year) * 12 + laterMonth.month - month.month]).toEqual([7, every]);
    }), { numRuns: 200 });
  });
});
