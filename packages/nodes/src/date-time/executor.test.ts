import type { Json, JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const item = { d: '2024-02-28T10:30:15.250Z', k: 1 };
const given = (version: number, parameters: JsonObject, over: JsonObject = item) =>
  outputOf('dateTime', {
    version,
    items: [over],
    parameters,
    timezone: 'America/New_York',
    now: Date.UTC(2024, 0, 1, 3),
  });

describe('dateTime 1', () => {
  it.each<[string, JsonObject, string]>([
    ['a string, in UTC', { value: '03/04/2024' }, '03/04/2024'],
    [
      'tokens and literals',
      { value: '={{ $json.d }}', toFormat: '[on] dddd Do MMMM YYYY, h:mm:ss.SSS a Z' },
      'on Wednesday 28th February 2024, 10:30:15.250 am +00:00',
    ],
    ['seconds', { value: 1_700_000_000, toFormat: 'YYYY-MM-DDTHH:mm' }, '2023-11-14T22:13'],
    ['milliseconds as a string', { value: '1700000000000', toFormat: 'X' }, '1700000000'],
    [
      'an input format',
      { value: '14/2/2020', toFormat: 'YYYY-MM-DD', options: { fromFormat: 'DD/MM/YYYY' } },
      '2020-02-14',
    ],
    [
      'zones',
      {
        value: '2024-01-01T00:00',
        toFormat: 'YYYY-MM-DD HH:mm',
        options: { fromTimezone: 'Europe/Berlin', toTimezone: 'Asia/Tokyo' },
      },
      '2024-01-01 08:00',
    ],
    [
      'the zone of the workflow',
      { value: '2024-01-01T00:00:00Z', toFormat: 'DD HH', options: { fromTimezone: 'UTC' } },
      '31 19',
    ],
  ])('formats %s', async (_what, parameters, data) => {
    expect(await given(1, parameters)).toEqual([{ ...item, data }]);
  });

  it.each<[JsonObject, string]>([
    [{ duration: 2, timeUnit: 'days' }, '2024-03-01T10:30:15.250Z'],
    [{ duration: 1, timeUnit: 'months', operation: 'subtract' }, '2024-01-28T10:30:15.250Z'],
    [{ duration: 15, timeUnit: 'minutes' }, '2024-02-28T10:45:15.250Z'],
    [{ duration: 1.5, timeUnit: 'months' }, '2024-04-28T10:30:15.250Z'],
    [{ duration: 1.5, timeUnit: 'weeks', operation: 'subtract' }, '2024-02-17T10:30:15.250Z'],
    [{ duration: 1.5, timeUnit: 'hours' }, '2024-02-28T12:00:15.250Z'],
    [{ value: '12', duration: 1, timeUnit: 'days' }, '2001-12-02T00:00:00.000Z'],
    [{ value: 86_400_000, duration: 1, timeUnit: 'days' }, '1970-01-03T00:00:00.000Z'],
    [
      { value: '01.02.2024', options: { fromFormat: 'DD.MM.YYYY' }, duration: 1, timeUnit: 'days' },
      '2024-02-02T00:00:00.000Z',
    ],
    [{ value: '1709116200', options: { fromFormat: 'X' }, duration: 1, timeUnit: 'days' }, '2024-02-29T10:30:00.000Z'],
  ])('calculates %j', async (parameters, due) => {
    expect(
      await given(1, { action: 'calculate', value: '={{ $json.d }}', dataPropertyName: 'at.due', ...parameters }),
    ).toEqual([{ ...item, 'at.due': due }]);
  });

  it.each<[JsonObject, string]>([
    [{ value: '20240228' }, 'Unrecognized date input'],
    [{ value: '2024-W09' }, 'Unrecognized date input'],
    [{ value: '10:30' }, 'Unrecognized date input'],
    [{ value: '={{ $json.none }}' }, 'Unrecognized date input'],
    [{ value: '1.2.2024', options: { fromFormat: 'DD.MM.YYYY' } }, 'Date input cannot be parsed'],
  ])('rejects the value of %j', async (parameters, message) => {
    await expect(given(1, { action: 'calculate', duration: 1, timeUnit: 'days', ...parameters })).rejects.toThrow(
      message,
    );
  });

  it.each<[string, JsonObject, string]>([
    [
      'without a T in the given zone',
      { value: '2024-02-28 10:30', options: { fromTimezone: 'Asia/Tokyo' } },
      '27 20 -05:00',
    ],
    ['by weeks in the given zone', { value: '2024-W09', options: { fromTimezone: 'Asia/Tokyo' } }, '25 10 -05:00'],
    [
      'with surrounding blanks in UTC',
      { value: '  2024-02-28  ', options: { toTimezone: 'Asia/Tokyo' } },
      '28 09 +09:00',
    ],
    ['with an offset', { value: '2024-02-28T10:30:00+02:00', options: { toTimezone: 'UTC' } }, '28 08 +00:00'],
    ['of mail', { value: 'Wed, 28 Feb 2024 10:30:00 +0200', options: { toTimezone: 'UTC' } }, '28 08 +00:00'],
    [
      'with a format in the given zone',
      { value: 'Feb 14th 2020', options: { fromFormat: 'MMM Do YYYY', fromTimezone: 'Europe/Berlin' } },
      '13 18 -05:00',
    ],
    [
      'with other separators and trailing text',
      { value: '14-02-2020 10 extra', options: { fromFormat: 'DD/MM/YYYY HH' } },
      '14 10 +00:00',
    ],
    [
      'whose format includes an offset',
      { value: '2020-02-14T10:00+02:00', options: { fromFormat: 'YYYY-MM-DDTHH:mmZ', toTimezone: 'Asia/Tokyo' } },
      '14 17 +09:00',
    ],
    [
      'that is a DateTime in UTC',
      { value: '={{ DateTime.fromISO("2024-02-28T10:30:00", { zone: "Asia/Tokyo" }) }}' },
      '28 01 +00:00',
    ],
    [
      'from before standard time zones',
      { value: '1880-01-01T12:00Z', options: { toTimezone: 'Europe/Paris' } },
      '01 12 +00:09',
    ],
  ])('reads a string %s', async (_what, parameters, data) => {
    expect(await given(1, { toFormat: 'DD HH Z', ...parameters })).toEqual([{ ...item, data }]);
  });

  it.each<[string, string]>([
    ['YYYYYY y N', '+002024 2024 AD'],
    ['\\D [Q]Q LT', 'D Q1 10:30 AM'],
    ['[z] zz', 'z '],
    ['SSSS x', '2500 1709116215250'],
    ['', '2024-02-28T10:30:15+00:00'],
  ])('writes %s', async (toFormat, data) => {
    expect(await given(1, { value: '={{ $json.d }}', toFormat })).toEqual([{ ...item, data }]);
  });

  it('writes the name of the given zone', async () => {
    expect(
      await given(1, { value: '={{ $json.d }}', toFormat: 'z', options: { toTimezone: 'America/New_York' } }),
    ).toEqual([{ ...item, data: 'EST' }]);
  });

  it.each(['2024-02-30', '10:30', '2024-02-28T25:00'])('rejects %s', async (value) => {
    await expect(given(1, { value })).rejects.toThrow('could not be recognized');
  });

  it('omits items without a value, and reports a value that is not a date', async () => {
    expect(await given(1, { value: '={{ $json.none }}' })).toEqual([]);
    await expect(given(1, { value: 'soon' })).rejects.toThrow('could not be recognized');
    await expect(given(1, { value: '2024-01-01', options: { toTimezone: 'Mars' } })).rejects.toThrow(
      'Unknown timezone "Mars"',
    );
  });
});

describe('dateTime 2', () => {
  it.each<[JsonObject, JsonObject]>([
    [{}, { currentDate: '2023-12-31T22:00:00.000-05:00' }],
    [{ includeTime: false, options: { timezone: 'UTC' }, outputFieldName: 'now' }, { now: '2024-01-01T00:00:00.000Z' }],
    [
      { operation: 'addToDate', magnitude: '2024-01-31T12:00', timeUnit: 'months', duration: 1 },
      { newDate: '2024-02-29T07:00:00.000-05:00' },
    ],
    [
      {
        operation: 'formatDate',
        date: '2024-02-28T23:30:00+05:30',
        format: 'custom',
        customFormat: 'yyyy-MM-dd HH:mm ZZ',
      },
      { formattedDate: '2024-02-28 23:00 +05:00' },
    ],
    [
      {
        operation: 'formatDate',
        date: '2024-02-28T23:30:00-05:00',
        format: 'custom',
        customFormat: 'yyyy-MM-dd HH:mm ZZ',
      },
      { formattedDate: '2024-02-29 04:30 +00:00' },
    ],
    [
      {
        operation: 'addToDate',
        magnitude: '={{ DateTime.fromISO("2024-01-31T12:00", { zone: "Asia/Tokyo" }) }}',
        timeUnit: 'days',
        duration: 1,
      },
      { newDate: '2024-02-01T12:00:00.000+09:00' },
    ],
    [
      { operation: 'subtractFromDate', magnitude: '={{ $json.d }}', timeUnit: 'hours', duration: 1 },
      { newDate: '2024-02-28T04:30:15.250-05:00' },
    ],
    [{ operation: 'formatDate', date: '={{ $json.d }}', format: 'yyyy/MM/dd' }, { formattedDate: '2024/02/28' }],
    [
      { operation: 'formatDate', date: '2024-01-01', format: 'custom', customFormat: 'dd LLL' },
      { formattedDate: '01 Jan' },
    ],
    [
      { operation: 'formatDate', date: '2024-01-01T01:00:00Z', format: 'dd HH', options: { timezone: true } },
      { formattedDate: '31 20' },
    ],
    [
      { operation: 'formatDate', date: '1.2.2024', options: { fromFormat: 'd.M.yyyy' } },
      { formattedDate: '02/01/2024' },
    ],
    [{ operation: 'formatDate', date: '={{ null }}' }, { formattedDate: null }],
    [{ operation: 'formatDate', date: '={{ $json.none }}' }, {}],
    [
      {
        operation: 'formatDate',
        date: '={{ $json.none }}',
        outputFieldName: 'd',
        options: { includeInputFields: true },
      },
      { k: 1 },
    ],
    [
      { operation: 'roundDate', date: '={{ $json.d }}', toNearest: 'hour' },
      { roundedDate: '2024-02-28T05:00:00.000-05:00' },
    ],
    [
      { operation: 'roundDate', date: '={{ $json.d }}', mode: 'roundUp' },
      { roundedDate: '2024-03-01T00:00:00.000-05:00' },
    ],
    [
      { operation: 'getTimeBetweenDates', startDate: '2024-01-01', endDate: '2024-03-03', units: ['month', 'day'] },
      { timeDifference: { months: 2, days: 2 } },
    ],
    [
      {
        operation: 'getTimeBetweenDates',
        startDate: '2024-01-01',
        endDate: '2024-01-03',
        options: { isoString: true },
      },
      { timeDifference: 'P2D' },
    ],
    [{ operation: 'extractDate', date: '={{ $json.d }}', part: 'hour' }, { datePart: 5 }],
    [
      { operation: 'extractDate', date: '={{ $json.d }}', part: 'week', options: { includeInputFields: true } },
      { ...item, datePart: 9 },
    ],
  ])('%j', async (parameters, result) => {
    expect(await given(2, parameters)).toEqual([result]);
  });

  it.each(['2024-02-30', '2024-02-28T25:00', '10:30', 'soon', ''])('rejects %j as a date', async (magnitude) => {
    await expect(given(2, { operation: 'addToDate', magnitude, duration: 1 })).rejects.toThrow('Invalid date format');
  });

  it('replaces a failed item by the error if it continues, and preserves item linking', async () => {
    const { items } = await runKind('dateTime', {
      version: 2,
      items: [{ d: 'x' }, item],
      parameters: { operation: 'extractDate', date: '={{ $json.d }}' },
      node: { onError: 'continueRegularOutput' },
    });
    const json: Json[] = [{ error: 'Invalid date format' }, { datePart: 2 }];
    expect(items[0]).toEqual(json.map((one, index) => ({ json: one, pairedItem: { item: index } })));
  });
});
