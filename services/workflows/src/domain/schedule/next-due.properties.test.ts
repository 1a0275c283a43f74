import type { ScheduleRule } from '@weft/node-catalogue';
import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import { nextDue } from './next-due';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** Time zones, each with an instant of 2026 at which its clock changes; two have none. */
const PLACES = [
  ['UTC', '2026-06-15T00:00Z'],
  ['Asia/Kathmandu', '2026-06-15T00:00Z'],
  ['America/New_York', '2026-03-08T07:00Z'],
  ['America/New_York', '2026-11-01T06:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00Z'],
  ['Africa/Casablanca', '2026-02-15T02:00Z'],
  ['Africa/Casablanca', '2026-03-22T02:00Z'],
  ['America/Santiago', '2026-04-05T03:00Z'],
  ['America/Santiago', '2026-09-06T04:00Z'],
  ['Pacific/Auckland', '2026-04-04T14:00Z'],
  ['Pacific/Auckland', '2026-09-26T14:00Z'],
  // Half an hour of summer time.
  ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
] as const;

/** A time zone, and an instant near such a change: often within two hours, otherwise within a day and a half. */
const shifts = fc.oneof(
  fc.integer({ min: -120 * MINUTE, max: 120 * MINUTE }),
  fc.integer({ min: -1.5 * DAY, max: 1.5 * DAY }),
);
const moments = fc
  .tuple(fc.constantFrom(...PLACES), shifts)
  .map(([[zone, change], shift]) => ({ zone, at: Date.parse(change) + shift }));
/** Clocks change in the early hours. */
const hours = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 23 }));
const minutes = fc.integer({ min: 0, max: 59 });

/**
 * A rule whose due times lie on full minutes at most a day apart, with a second definition: which wall-clock times it
 * matches.
 */
interface Told {
  readonly rule: ScheduleRule;
  readonly isMeant: (hour: number, minute: number) => boolean;
  readonly runsThrough: boolean;
}

const told: fc.Arbitrary<Told> = fc.oneof(
  fc.integer({ min: 1, max: 59 }).map((every): Told => ({
    rule: { kind: 'everyMinutes', every },
    isMeant: (_, minute) => minute % every === 0,
    runsThrough: true,
  })),
  fc.tuple(fc.constantFrom(1, 2, 3, 4, 6, 8, 12, 24), minutes).map(([every, at]): Told => ({
    rule: { kind: 'everyHours', every, minute: at },
    isMeant: (hour, minute) => hour % every === 0 && minute === at,
    runsThrough: every === 1,
  })),
  fc.tuple(hours, minutes).map(([at, minuteAt]): Told => ({
    rule: { kind: 'everyDays', every: 1, hour: at, minute: minuteAt },
    isMeant: (hour, minute) => hour === at && minute === minuteAt,
    runsThrough: false,
  })),
  fc
    .tuple(
      fc.uniqueArray(hours, { minLength: 1, maxLength: 5 }),
      fc.uniqueArray(minutes, { minLength: 1, maxLength: 5 }),
    )
    .map(([at, minutesAt]): Told => ({
      rule: { kind: 'cron', expression: `${minutesAt.join(',')} ${at.join(',')} * * *` },
      isMeant: (hour, minute) => at.includes(hour) && minutesAt.includes(minute),
      runsThrough: false,
    })),
  fc.uniqueArray(minutes, { minLength: 1, maxLength: 5 }).map((minutesAt): Told => ({
    rule: { kind: 'cron', expression: `${minutesAt.join(',')} * * * *` },
    isMeant: (_, minute) => minutesAt.includes(minute),
    runsThrough: true,
  })),
);

/** Walks the clock minute by minute, including its jumps. */
const walk = ({ isMeant, runsThrough }: Told, zone: string, after: number): number => {
  const clock = IANAZone.create(zone);
  const wallAt = (instant: number): number => instant + clock.offset(instant) * MINUTE;
  const isMeantAt = (wall: number): boolean =>
    isMeant(Math.floor((wall % DAY) / (60 * MINUTE)), (wall % (60 * MINUTE)) / MINUTE);
  const start = Math.floor(after / MINUTE) * MINUTE - DAY / 6;
  let highest = wallAt(start);
  for (let instant = start + MINUTE; instant < after + 4 * DAY; instant += MINUTE) {
    const wall = wallAt(instant);
    const shown = runsThrough
      ? [wall]
      : Array.from({ length: Math.max(0, (wall - highest) / MINUTE) }, (_, index) => highest + (index + 1) * MINUTE);
    highest = Math.max(highest, wall);
    if (instant > after && shown.some(isMeantAt)) return instant;
  }
  throw new Error('The walk found nothing.');
};

describe('the next due time', () => {
  it('equals the result of a walk along the clock', () => {
    fc.assert(
      fc.property(told, moments, (one, { zone, at: after }) => {
        expect(nextDue(one.rule, zone, new Date(after))?.getTime()).toBe(walk(one, zone, after));
      }),
      { numRuns: 200 },
    );
  });

  it('is the same from every instant before it, and lies ahead', () => {
    const rules = fc.oneof(
      told.map(({ rule }) => rule),
      fc
        .tuple(fc.integer({ min: 1, max: 30 }), hours, minutes)
        .map(([every, hour, minute]): ScheduleRule => ({ kind: 'everyDays', every, hour, minute })),
      fc
        .tuple(fc.integer({ min: 1, max: 60 }), minutes)
        .map(([every, minute]): ScheduleRule => ({ kind: 'everyHours', every, minute })),
      fc
        .tuple(fc.integer({ min: 1, max: 8 }), fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }), hours)
        .map(([every, weekdays, hour]): ScheduleRule => ({ kind: 'everyWeeks', every, weekdays, hour, minute: 0 })),
      fc
        .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 28 }), hours)
        .map(([every, dayOfMonth, hour]): ScheduleRule => ({
          kind: 'everyMonths',
          every,
          dayOfMonth,
          hour,
          minute: 30,
        })),
      fc.integer({ min: 1, max: 100_000 }).map((seconds): ScheduleRule => ({ kind: 'fixedDelay', seconds })),
      fc.integer({ min: 1, max: 59 }).map((every): ScheduleRule => ({ kind: 'everySeconds', every })),
    );
    fc.assert(
      fc.property(
        rules,
        moments,
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (rule, { zone, at: start }, part) => {
          const last = nextDue(rule, zone, new Date(start));
          if (last === undefined) throw new Error('never due');
          const next = nextDue(rule, zone, last, last);
          if (next === undefined) throw new Error('never due');
          expect(next.getTime()).toBeGreaterThan(last.getTime());
          const between = new Date(last.getTime() + Math.floor(part * (next.getTime() - last.getTime())));
          expect(nextDue(rule, zone, between, last)).toEqual(next);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('retains its distance in days, weeks and months by the calendar', () => {
    fc.assert(
      fc.property(
        moments,
        fc.integer({ min: 1, max: 20 }),
        hours,
        minutes,
        ({ zone, at: start }, every, hour, minute) => {
          const chain = (rule: ScheduleRule): [DateTime, DateTime] => {
            const first = nextDue(rule, zone, new Date(start)) ?? new Date(NaN);
            const second = nextDue(rule, zone, first, first) ?? new Date(NaN);
            return [
              DateTime.fromJSDate(first, { zone }).startOf('day'),
              DateTime.fromJSDate(second, { zone }).startOf('day'),
            ];
          };
          const [day, laterDay] = chain({ kind: 'everyDays', every, hour, minute });
          expect(Math.round(laterDay.diff(day, 'days').days)).toBe(every);
          const [week, laterWeek] = chain({ kind: 'everyWeeks', every, weekdays: [3], hour, minute });
          expect(Math.round(laterWeek.diff(week, 'weeks').weeks)).toBe(every);
          const [month, laterMonth] = chain({ kind: 'everyMonths', every, dayOfMonth: 7, hour, minute });
          expect([laterMonth.day, (laterMonth.year - month.year) * 12 + laterMonth.month - month.month]).toEqual([
            7,
            every,
          ]);
        },
      ),
      { numRuns: 100 },
    );
  });
});
