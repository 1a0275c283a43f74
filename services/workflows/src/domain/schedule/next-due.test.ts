import type { ScheduleRule } from '@weft/node-catalogue';
import { nextDue } from './next-due';

const due = (rule: ScheduleRule, zone: string, after: string, lastDue?: string): string | undefined =>
  nextDue(rule, zone, new Date(after), lastDue === undefined ? undefined : new Date(lastDue))?.toISOString();

/** The first due times after an instant, each counted from the previous one. */
const dues = (rule: ScheduleRule, zone: string, after: string, count: number): (string | undefined)[] => {
  const found: (string | undefined)[] = [];
  for (let last = after; found.length < count;) {
    const next = due(rule, zone, last, found.at(-1));
    found.push(next);
    last = next ?? last;
  }
  return found;
};

const NEW_YORK = 'America/New_York';
// The clock of New York goes from 02:00 to 03:00 on 8 March 2026 (07:00 UTC), and from 02:00 to 01:00 on 1 November
// (06:00 UTC).

describe('every few seconds and minutes', () => {
  it('are due at multiples, and restart with every minute or hour', () => {
    expect(dues({ kind: 'everySeconds', every: 25 }, 'UTC', '2026-01-01T00:00:20.500Z', 4)).toEqual([
      '2026-01-01T00:00:25.000Z',
      '2026-01-01T00:00:50.000Z',
      '2026-01-01T00:01:00.000Z',
      '2026-01-01T00:01:25.000Z',
    ]);
    expect(dues({ kind: 'everyMinutes', every: 40 }, 'UTC', '2026-01-01T00:00:00Z', 3)).toEqual([
      '2026-01-01T00:40:00.000Z',
      '2026-01-01T01:00:00.000Z',
      '2026-01-01T01:40:00.000Z',
    ]);
  });

  it('follow the clock of their zone, if its offset is not a whole hour', () => {
    expect(due({ kind: 'everyMinutes', every: 20 }, 'Asia/Kathmandu', '2026-01-01T00:00:00Z')).toBe(
      '2026-01-01T00:15:00.000Z',
    );
  });

  it('continue through both changes of the clock', () => {
    expect(dues({ kind: 'everyMinutes', every: 30 }, NEW_YORK, '2026-03-08T06:10:00Z', 3)).toEqual([
      '2026-03-08T06:30:00.000Z',
      '2026-03-08T07:00:00.000Z',
      '2026-03-08T07:30:00.000Z',
    ]);
    expect(dues({ kind: 'everyMinutes', every: 30 }, NEW_YORK, '2026-11-01T05:00:00Z', 4)).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T06:00:00.000Z',
      '2026-11-01T06:30:00.000Z',
      '2026-11-01T07:00:00.000Z',
    ]);
  });
});

describe('every hour', () => {
  it('skips a time that the clock skips by half an hour', () => {
    // On Lord Howe Island the clock goes from 02:00 to 02:30 at 15:30 UTC.
    expect(
      dues({ kind: 'everyHours', every: 1, minute: 20 }, 'Australia/Lord_Howe', '2026-10-03T14:00:00Z', 2),
    ).toEqual(['2026-10-03T14:50:00.000Z', '2026-10-03T16:20:00.000Z']);
  });
});

describe('every few hours', () => {
  it('are due at multiples if they divide the day', () => {
    expect(dues({ kind: 'everyHours', every: 8, minute: 5 }, 'UTC', '2026-01-01T08:05:00Z', 3)).toEqual([
      '2026-01-01T16:05:00.000Z',
      '2026-01-02T00:05:00.000Z',
      '2026-01-02T08:05:00.000Z',
    ]);
  });

  it('count from the last due time if they do not divide the day', () => {
    const rule: ScheduleRule = { kind: 'everyHours', every: 5, minute: 10 };
    expect(dues(rule, 'UTC', '2026-01-01T20:15:00Z', 3)).toEqual([
      '2026-01-01T21:10:00.000Z',
      '2026-01-02T02:10:00.000Z',
      '2026-01-02T07:10:00.000Z',
    ]);
    expect(due(rule, 'UTC', '2026-01-05T00:00:00Z', '2026-01-01T21:10:00Z')).toBe('2026-01-05T00:10:00.000Z');
  });
});

describe('every few days', () => {
  it('are due at their time of the day, in winter and in summer', () => {
    const rule: ScheduleRule = { kind: 'everyDays', every: 1, hour: 9, minute: 0 };
    expect(dues(rule, NEW_YORK, '2026-03-07T00:00:00Z', 3)).toEqual([
      '2026-03-07T14:00:00.000Z',
      '2026-03-08T13:00:00.000Z',
      '2026-03-09T13:00:00.000Z',
    ]);
  });

  it('are due right after the gap when the clock skips their time', () => {
    expect(dues({ kind: 'everyDays', every: 1, hour: 2, minute: 30 }, NEW_YORK, '2026-03-07T12:00:00Z', 2)).toEqual([
      '2026-03-08T07:00:00.000Z',
      '2026-03-09T06:30:00.000Z',
    ]);
  });

  it('are due once when the clock shows their time twice', () => {
    expect(dues({ kind: 'everyDays', every: 1, hour: 1, minute: 30 }, NEW_YORK, '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ]);
  });

  it('count days from the last due time', () => {
    const rule: ScheduleRule = { kind: 'everyDays', every: 3, hour: 6, minute: 15 };
    expect(dues(rule, 'UTC', '2026-02-27T00:00:00Z', 3)).toEqual([
      '2026-02-27T06:15:00.000Z',
      '2026-03-02T06:15:00.000Z',
      '2026-03-05T06:15:00.000Z',
    ]);
    expect(due(rule, 'UTC', '2026-03-20T00:00:00Z', '2026-02-27T06:15:00Z')).toBe('2026-03-20T06:15:00.000Z');
  });
});

describe('every few weeks', () => {
  it('are due on each of their weekdays, then skip the weeks between', () => {
    // 4 January 2026 is a Sunday.
    const rule: ScheduleRule = { kind: 'everyWeeks', every: 2, weekdays: [1, 5], hour: 8, minute: 0 };
    expect(dues(rule, 'UTC', '2026-01-04T00:00:00Z', 4)).toEqual([
      '2026-01-05T08:00:00.000Z',
      '2026-01-09T08:00:00.000Z',
      '2026-01-19T08:00:00.000Z',
      '2026-01-23T08:00:00.000Z',
    ]);
  });

  it('are due today if the time is still to come', () => {
    expect(
      due({ kind: 'everyWeeks', every: 1, weekdays: [0], hour: 8, minute: 0 }, 'UTC', '2026-01-04T07:59:59Z'),
    ).toBe('2026-01-04T08:00:00.000Z');
    expect(
      due({ kind: 'everyWeeks', every: 1, weekdays: [0], hour: 8, minute: 0 }, 'UTC', '2026-01-04T08:00:00Z'),
    ).toBe('2026-01-11T08:00:00.000Z');
  });
});

describe('every few months', () => {
  it('skip months without their day', () => {
    expect(
      dues({ kind: 'everyMonths', every: 1, dayOfMonth: 31, hour: 0, minute: 0 }, 'UTC', '2026-01-31T00:00:00Z', 3),
    ).toEqual(['2026-03-31T00:00:00.000Z', '2026-05-31T00:00:00.000Z', '2026-07-31T00:00:00.000Z']);
  });

  it('count months from the last due time, over the end of the year and over leap years', () => {
    expect(
      dues({ kind: 'everyMonths', every: 5, dayOfMonth: 1, hour: 0, minute: 0 }, 'UTC', '2026-08-15T00:00:00Z', 2),
    ).toEqual(['2026-09-01T00:00:00.000Z', '2027-02-01T00:00:00.000Z']);
    expect(
      due(
        { kind: 'everyMonths', every: 12, dayOfMonth: 29, hour: 0, minute: 0 },
        'UTC',
        '2028-02-29T00:00:00Z',
        '2028-02-29T00:00:00Z',
      ),
    ).toBe('2032-02-29T00:00:00.000Z');
  });
});

describe('cron expressions', () => {
  it('have five fields, or six with seconds in front', () => {
    expect(due({ kind: 'cron', expression: '15 10 * * 1-5' }, 'Europe/Berlin', '2026-07-03T09:00:00Z')).toBe(
      '2026-07-06T08:15:00.000Z',
    );
    expect(due({ kind: 'cron', expression: '*/20 * * * * *' }, 'UTC', '2026-01-01T00:00:41Z')).toBe(
      '2026-01-01T00:01:00.000Z',
    );
    expect(due({ kind: 'cron', expression: '0 12 L * *' }, 'UTC', '2026-02-01T00:00:00Z')).toBe(
      '2026-02-28T12:00:00.000Z',
    );
    expect(due({ kind: 'cron', expression: '0 0 29 2 *' }, 'UTC', '2026-03-01T00:00:00Z')).toBe(
      '2028-02-29T00:00:00.000Z',
    );
  });

  it('with set hours follow the time of day, with every hour elapsed time', () => {
    expect(dues({ kind: 'cron', expression: '30 1,2 * * *' }, NEW_YORK, '2026-11-01T05:00:00Z', 3)).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T07:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ]);
    expect(dues({ kind: 'cron', expression: '30 * * * *' }, NEW_YORK, '2026-11-01T05:00:00Z', 3)).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T06:30:00.000Z',
      '2026-11-01T07:30:00.000Z',
    ]);
    expect(dues({ kind: 'cron', expression: '15,45 2 * * *' }, NEW_YORK, '2026-03-08T05:00:00Z', 2)).toEqual([
      '2026-03-08T07:00:00.000Z',
      '2026-03-09T06:15:00.000Z',
    ]);
  });

  it('are never due on days that do not exist', () => {
    expect(due({ kind: 'cron', expression: '0 0 30 2 *' }, 'UTC', '2026-01-01T00:00:00Z')).toBeUndefined();
  });
});

describe('a fixed delay', () => {
  it('counts from activation and keeps its rhythm across a pause', () => {
    const rule: ScheduleRule = { kind: 'fixedDelay', seconds: 90 };
    expect(due(rule, 'UTC', '2026-01-01T00:00:10.250Z')).toBe('2026-01-01T00:01:40.250Z');
    expect(due(rule, 'UTC', '2026-01-01T00:01:40.250Z', '2026-01-01T00:01:40.250Z')).toBe('2026-01-01T00:03:10.250Z');
    expect(due(rule, 'UTC', '2026-01-01T01:00:00Z', '2026-01-01T00:01:40.250Z')).toBe('2026-01-01T01:00:10.250Z');
  });
});

describe('zones', () => {
  it('that skip a whole day are due when the next one begins', () => {
    expect(due({ kind: 'everyDays', every: 1, hour: 8, minute: 0 }, 'Pacific/Apia', '2011-12-29T19:00:00Z')).toBe(
      '2011-12-30T10:00:00.000Z',
    );
  });

  it('that are unknown count as UTC', () => {
    expect(due({ kind: 'everyDays', every: 1, hour: 8, minute: 0 }, 'Mars/Olympus', '2026-01-01T00:00:00Z')).toBe(
      '2026-01-01T08:00:00.000Z',
    );
  });
});
