import { schedulePayload, timeFields } from './schedule-payload';

describe('schedulePayload', () => {
  it('describes the due time in the time zone of the schedule', () => {
    expect(timeFields(new Date('2026-03-22T16:05:09.000Z'), 'America/New_York')).toEqual({
      timestamp: '2026-03-22T12:05:09.000-04:00',
      'Readable date': 'March 22nd 2026, 12:05:09 pm',
      'Readable time': '12:05:09 pm',
      'Day of week': 'Sunday',
      Year: '2026',
      Month: 'March',
      'Day of month': '22',
      Hour: '12',
      Minute: '05',
      Second: '09',
      Timezone: 'America/New_York (UTC-04:00)',
    });
    expect(timeFields(new Date('2026-01-01T00:00:00.000Z'), 'UTC')).toMatchObject({
      timestamp: '2026-01-01T00:00:00.000+00:00',
      'Readable date': 'January 1st 2026, 12:00:00 am',
      Timezone: 'UTC (UTC+00:00)',
    });
  });

  it('writes days as ordinal numbers', () => {
    const days = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 30, 31].map(
      (day) => timeFields(new Date(Date.UTC(2026, 0, day)), 'UTC')['Readable date']?.split(' ')[1],
    );
    expect(days).toEqual(['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '22nd', '23rd', '30th', '31st']);
  });

  it('is an array of one item, empty for the older triggers', () => {
    const due = new Date('2026-01-01T00:00:00.000Z');
    expect(JSON.parse(schedulePayload({ item: 'clock' }, due, 'UTC'))).toEqual([{ json: timeFields(due, 'UTC') }]);
    expect(schedulePayload({ item: 'empty' }, due, 'UTC')).toBe('[{"json":{}}]');
  });
});
