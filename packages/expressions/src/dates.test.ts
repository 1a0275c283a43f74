import { DateTime } from 'luxon';
import { bodyValue } from './testing/fixed-scope';

const BERLIN = { timezone: 'Europe/Berlin' };

describe('a JavaScript date', () => {
  it.each<readonly [string, unknown]>([
    ['new Date(2026, 0, 20).toISOString()', '2026-01-19T23:00:00.000Z'],
    ['new Date(2026, 6, 20, 12, 30, 15, 5).toISOString()', '2026-07-20T10:30:15.005Z'],
    ['new Date("2026-03-30T18:49").toISOString()', '2026-03-30T16:49:00.000Z'],
    ['new Date("2026-03-30").toISOString()', '2026-03-30T00:00:00.000Z'],
    ['new Date("2026-03-30T18:49:00Z").getHours()', 20],
    ['new Date("2026-03-30T18:49:00-05:00").toISOString()', '2026-03-30T23:49:00.000Z'],
    ['new Date("March 7, 2026 10:00").toISOString()', '2026-03-07T09:00:00.000Z'],
    ['new Date("Mar 7 2026 10:00 GMT+0300").toISOString()', '2026-03-07T07:00:00.000Z'],
    ['new Date("2026-03-07 10:00:00").toISOString()', '2026-03-07T09:00:00.000Z'],
    ['String(new Date(0))', 'Thu Jan 01 1970 01:00:00 GMT+0100 (Central European Standard Time)'],
    [
      'new Date(0).toDateString() + new Date(0).toTimeString()',
      'Thu Jan 01 197001:00:00 GMT+0100 (Central European Standard Time)',
    ],
    ['new Date(0).toLocaleString()', '1/1/1970, 1:00:00 AM'],
    ['new Date(0).toLocaleDateString("de-DE", { month: "long", day: "numeric" })', '1. Januar'],
    ['new Date(0).getTimezoneOffset()', -60],
    ['new Date("no date").getTime()', Number.NaN],
    ['String(new Date("no date"))', 'Invalid Date'],
    ['new Date("no date").toISOString()', undefined],
    [
      '(() => { const d = new Date(2026, 0, 31); d.setMonth(1); return d.toISOString() })()',
      '2026-03-02T23:00:00.000Z',
    ],
    ['(() => { const d = new Date(0); d.setHours(0, 0, 0, 0); return d.getTime() })()', -3_600_000],
    [
      '(() => { const d = new Date(2026, 2, 28); d.setDate(d.getDate() + 1); return d.toISOString() })()',
      '2026-03-28T23:00:00.000Z',
    ],
    ['new Date(2026, 2, 29, 2, 30).toISOString()', '2026-03-29T01:30:00.000Z'],
    ['new Date(2026, 1, 1) - new Date(2026, 0, 1)', 31 * 86_400_000],
    ['new Date(2026, 1, 1) > new Date(2026, 0, 1)', true],
    ['new Date() === new Date()', false],
    ['new Date().toISOString()', '2026-03-09T10:30:00.000Z'],
    ['Date.now() === $now.toMillis()', true],
    ['Date.UTC(2026, 0, 1)', 1_767_225_600_000],
    ['JSON.stringify({ at: new Date(0) })', '{"at":"1970-01-01T00:00:00.000Z"}'],
    ['typeof Date() + typeof new Date()', 'stringobject'],
  ])("%s uses the workflow's zone", (body, value) => {
    expect(bodyValue(body, BERLIN)).toEqual(value);
  });

  it('is the same whatever zone the process is in', () => {
    const before = process.env['TZ'];
    try {
      for (const zone of ['UTC', 'Asia/Tokyo', 'America/New_York']) {
        process.env['TZ'] = zone;
        expect([
          zone,
          bodyValue('new Date(2026, 6, 1, 9).toISOString() + new Date("July 4, 2026 8:00").getTime()', BERLIN),
        ]).toEqual([zone, '2026-07-01T07:00:00.000Z1783144800000']);
      }
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});

describe('luxon', () => {
  it.each<readonly [string, unknown]>([
    ['$now.toISO()', '2026-03-09T11:30:00.000+01:00'],
    ['DateTime.now().hour', 11],
    ['DateTime.local(2026, 7, 1).toISO()', '2026-07-01T00:00:00.000+02:00'],
    ['DateTime.utc(2026, 7, 1).toISO()', '2026-07-01T00:00:00.000Z'],
    ['DateTime.fromISO("2026-07-01T10:00").toISO()', '2026-07-01T10:00:00.000+02:00'],
    ['DateTime.fromISO("2026-07-01T10:00", { zone: "utc" }).toISO()', '2026-07-01T10:00:00.000Z'],
    ['DateTime.fromFormat("01.02.2026", "dd.MM.yyyy").toISODate()', '2026-02-01'],
    // A format with too many readings reads nothing: trying them all would never end.
    ['DateTime.fromFormat("1".repeat(60) + "x", "uyuyuyuyuyuyuyuy") ?? "nothing"', undefined],
    ['DateTime.fromMillis(0).toISO()', '1970-01-01T01:00:00.000+01:00'],
    ['DateTime.fromSeconds(0).toISO()', '1970-01-01T01:00:00.000+01:00'],
    ['DateTime.fromJSDate(new Date(0)).toISO()', '1970-01-01T01:00:00.000+01:00'],
    ['DateTime.fromObject({ year: 2026, month: 2 }).toISODate()', '2026-02-01'],
    ['DateTime.fromISO("nonsense").isValid', false],
    ['$now.setZone("America/New_York").toISO()', '2026-03-09T06:30:00.000-04:00'],
    ['$now.setZone("UTC").setZone("local").zoneName', 'Europe/Berlin'],
    ['$now.toUTC().toLocal().zoneName', 'Europe/Berlin'],
    ['$now.minus({ days: 1, hours: 2 }).toISO()', '2026-03-08T09:30:00.000+01:00'],
    ['$now.plus(1, "week").toISODate()', '2026-03-16'],
    ['$now.startOf("month").toISODate() + $now.endOf("year").toISODate()', '2026-03-012026-12-31'],
    ['$now.set({ hour: 1 }).hour', 1],
    ['$now.diff($today, "hours").hours', 11.5],
    [
      '$now.diff(DateTime.fromISO("2026-01-01"), ["months", "days"]).toObject()',
      { months: 2, days: 8.479166666666666 },
    ],
    ['$now.toFormat("yyyy LLL dd")', '2026 Mar 09'],
    ['$now.setLocale("de").toFormat("cccc")', 'Montag'],
    ['$now.toLocaleString(DateTime.DATE_FULL)', 'March 9, 2026'],
    ['[$now.weekNumber, $now.quarter, $now.weekdayLong, $now.zoneName]', [11, 1, 'Monday', 'Europe/Berlin']],
    ['$now > $today && $today <= $now', true],
    ['`${$now}`', '2026-03-09T11:30:00.000+01:00'],
    ['JSON.stringify({ at: $now })', '{"at":"2026-03-09T11:30:00.000+01:00"}'],
    ['DateTime.max($now, $today).equals($now)', true],
    ['$now instanceof DateTime', true],
    ['Duration.fromObject({ minutes: 90 }).as("hours")', 1.5],
    ['Duration.fromISO("PT1H30M").toMillis()', 5_400_000],
    ['Interval.fromDateTimes($today, $now).length("hours")', 11.5],
    ['Interval.fromDateTimes($today, $now).splitBy({ hours: 6 }).length', 2],
    ['Interval.after(new Date(0), { days: 1 }).end.toISODate()', '1970-01-02'],
    ['Interval.fromDateTimes($today, $now).contains($now)', false],
    ['new DateTime().toISO()', '2026-03-09T11:30:00.000+01:00'],
    ['new DateTime({ ts: 0, zone: "utc" }).toISO()', '1970-01-01T00:00:00.000Z'],
    ['DateTime()', undefined],
    ['[$now.ts, $now.o, $now.c.year, $now.zone.name]', [1773052200000, 60, 2026, 'Europe/Berlin']],
    ['$now.ts > 1700000000000', true],
    ['Duration.fromMillis(60000).values', { milliseconds: 60000 }],
  ])('%s', (body, value) => {
    expect(bodyValue(body, BERLIN)).toEqual(value);
  });

  it('is returned as DateTime when that is the result', () => {
    const value = bodyValue('$now.plus({ days: 1 })', BERLIN);
    expect(DateTime.isDateTime(value) && value.toISODate()).toBe('2026-03-10');
  });
});
