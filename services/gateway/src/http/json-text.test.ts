import { furtherMembers, objectText, quote, timeText } from './json-text';

describe('JSON text', () => {
  it.each([
    ['{}', ''],
    ['{"a":1}', ',"a":1'],
    [' { } ', ''],
    [' {\n "a" : {} }\n', ',"a" : {}'],
  ])('appends the members of %j to others as %j', (json, expected) => {
    expect(furtherMembers(json)).toBe(expected);
  });

  it('writes empty text as an empty object, and a missing time as null', () => {
    expect([
      objectText(''),
      objectText('{"a":1}'),
      timeText(undefined),
      timeText(new Date(0)),
      quote('"\u2028'),
    ]).toEqual(['{}', '{"a":1}', 'null', '"1970-01-01T00:00:00.000Z"', JSON.stringify('"\u2028')]);
  });
});
