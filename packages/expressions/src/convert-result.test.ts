import { DateTime, Duration } from 'luxon';
import { toJson, toText } from './convert-result';
import { ExpressionError } from './errors';

describe('toJson', () => {
  it('writes dates as ISO text, NaN and invalid dates as null, and leaves out what JSON lacks', () => {
    const value = {
      date: new Date(0),
      bad: new Date(Number.NaN),
      moment: DateTime.fromISO('2026-03-09T10:30:00', { zone: 'Europe/Berlin' }),
      span: Duration.fromObject({ hours: 1 }),
      number: Number.NaN,
      gone: undefined,
      call: () => 1,
      list: [undefined, () => 1, new Map([[1, 2]])],
    };
    expect(toJson(value)).toEqual({
      date: '1970-01-01T00:00:00.000Z',
      bad: null,
      moment: '2026-03-09T10:30:00.000+01:00',
      span: 'PT1H',
      number: null,
      list: [null, null, {}],
    });
  });

  it('returns JSON unchanged, without a copy', () => {
    const value = { a: [1, 'two', null, { b: true }] };
    expect(toJson(value)).toBe(value);
  });

  it('leaves undefined unchanged', () => {
    expect(toJson(undefined)).toBeUndefined();
  });

  it('refuses data that contains itself, and data that unfolds without end', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(() => toJson(circle)).toThrow(ExpressionError);
    let doubled: unknown[] = [];
    for (let level = 0; level < 40; level += 1) doubled = [doubled, doubled];
    expect(() => toJson(doubled)).toThrow('gives more than');
  });
});

describe('toText', () => {
  it.each<readonly [unknown, string]>([
    [null, ''],
    [undefined, ''],
    ['text', 'text'],
    [1.5, '1.5'],
    [false, 'false'],
    [[1, [2, null], 'x'], '1,2,,x'],
    [{ a: 1 }, '[object Object]'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [DateTime.fromMillis(0, { zone: 'UTC' }), '1970-01-01T00:00:00.000Z'],
  ])('of %p is %p', (value, text) => {
    expect(toText(value)).toBe(text);
  });
});
