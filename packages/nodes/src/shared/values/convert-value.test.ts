import { convertValue } from './convert-value';
import type { FieldType } from './convert-value';

const convert = (type: FieldType, value: unknown, strict = false): unknown => {
  const conversion = convertValue(type, value, { strict, timezone: 'UTC' });
  return conversion.ok ? conversion.value : 'no';
};

describe('convertValue', () => {
  it.each<[FieldType, unknown, unknown]>([
    ['string', 42, '42'],
    ['string', true, 'true'],
    ['string', { a: 1 }, '{"a":1}'],
    ['string', [1], '[1]'],
    ['number', '1', 1],
    ['number', '-1.5', -1.5],
    ['number', true, 1],
    ['number', 'A', 'no'],
    ['number', '1,1', 'no'],
    ['number', [1], 1],
    ['number', [], 0],
    ['number', [1, 2], 'no'],
    ['number', [{ toString: 1 }], 'no'],
    ['number', {}, 'no'],
    ['boolean', 'TRUE', true],
    ['boolean', 'false', false],
    ['boolean', 1, true],
    ['boolean', '0', false],
    ['boolean', 'yes', 'no'],
    ['boolean', 2, 'no'],
    ['boolean', '', 'no'],
    ['boolean', ' ', 'no'],
    ['boolean', [true], 'no'],
    ['array', "['a']", ['a']],
    ['array', '[1,]', 'no'],
    ['array', '[1, 2]', [1, 2]],
    ['array', [1], [1]],
    ['array', '1, 2', 'no'],
    ['array', '[1', 'no'],
    ['array', { a: 1 }, 'no'],
    ['object', '{"a": 1}', { a: 1 }],
    ['object', "{a: 'b'}", { a: 'b' }],
    ['object', [1], 'no'],
    ['object', '1', 'no'],
    ['object', '[{}]', 'no'],
    ['number', null, null],
    ['object', undefined, undefined],
  ])('to %s turns %j into %j', (type, value, expected) => {
    expect(convert(type, value)).toEqual(expected);
  });

  it.each<[FieldType, unknown]>([
    ['string', 1],
    ['number', '1'],
    ['boolean', 'true'],
    ['array', '[1]'],
    ['object', '{}'],
  ])('to %s rejects %j in strict mode', (type, value) => {
    expect(convert(type, value, true)).toBe('no');
  });

  it.each([
    '1997-07-16T19:20+01:00',
    '2018-05-16',
    'Tue, 04 Jun 2013 07:40:03 -0400',
    'Wed, 21 Oct 2015 07:28:00 GMT',
    '2018-05-16 10:20:30',
    '1-Feb-2024',
    '5',
  ])('reads the date %s', (text) => {
    expect(convert('dateTime', text)).toMatchObject({ isValid: true });
  });

  it.each<unknown>(['18-05-2020', 1_685_084_980, true, 'tomorrow', '', {}, { toString: 1 }])(
    'rejects %j as a date',
    (value) => {
      expect(convert('dateTime', value)).toBe('no');
    },
  );
});
