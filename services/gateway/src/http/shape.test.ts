import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import {
  anyObject,
  choice,
  flag,
  integer,
  list,
  nullable,
  object,
  readBody,
  readOptionalBody,
  type Shape,
  text,
  time,
} from './shape';

const read = <Value>(shape: Shape<Value>, value: Json) => {
  const errors: FieldError[] = [];
  return { value: shape.read(value, 'a', errors), errors: errors.map(({ field, message }) => `${field} ${message}`) };
};

describe('a shape', () => {
  it.each<[string, Shape<unknown>, Json, unknown]>([
    ['text', text(), '', ''],
    ['a flag', flag(), false, false],
    ['an object', anyObject(), { b: 1 }, { b: 1 }],
    ['a list', list(text()), ['b'], ['b']],
    ['a number', integer(1, 3), 3, 3],
    ['an instant', time(), '2026-01-31T12:00:00+01:00', new Date('2026-01-31T11:00:00Z')],
    ['a choice', choice(new Map([['b', 7]])), 'b', 7],
    ['null where it may be', nullable(text()), null, undefined],
  ])('reads %s', (_what, shape, value, expected) => {
    expect(read(shape, value)).toEqual({ value: expected, errors: [] });
  });

  it.each<[Shape<unknown>, Json, string]>([
    [text(), 1, 'a must be a string'],
    [text(), null, 'a must be a string'],
    [flag(), 'true', 'a must be true or false'],
    [anyObject(), [], 'a must be an object'],
    [list(text()), {}, 'a must be an array'],
    [list(text()), ['b', 1], 'a[1] must be a string'],
    [integer(1, 3), 4, 'a must be an integer from 1 to 3.'],
    [integer(1, 3), 1.5, 'a must be an integer from 1 to 3.'],
    [time(), '2026-01-31', 'a must be a time with a zone, such as 2026-01-31T12:00:00Z.'],
    [
      choice(
        new Map([
          ['b', 7],
          ['c', 8],
        ]),
      ),
      'd',
      'a must be one of b, c.',
    ],
    [object({ b: text() }), 'x', 'a must be an object'],
    [object({ b: text() }), { b: 1 }, 'a.b must be a string'],
  ])('names what is wrong with %j', (shape, value, fault) => {
    expect(read(shape, value).errors).toEqual([fault]);
  });

  const body = object({ name: text({ maxLength: 9 }), on: flag() }, { required: ['name'], ignored: ['id'] });

  it('has the schema of the values it reads', () => {
    expect(body.schema).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', maxLength: 9 },
        on: { type: 'boolean' },
        id: { description: expect.any(String) },
      },
      required: ['name'],
      additionalProperties: false,
    });
  });

  it('reads a body without ignored fields', () => {
    expect(readBody(body, { name: 'n', id: 7 })).toEqual({ name: 'n', on: undefined });
    expect(readOptionalBody(object({ on: flag() }), undefined)).toEqual({ on: undefined });
  });

  it('refuses unknown fields and lists the known ones, before all other errors', () => {
    const fields = (value: Json): unknown => {
      try {
        return readBody(body, value);
      } catch (error) {
        return error instanceof Error && 'fields' in error ? error.fields : error;
      }
    };
    expect(fields({ other: 1, on: 'x' })).toEqual([
      { field: 'other', message: 'is not a known field; known fields: name, on, id' },
      { field: 'name', message: 'is required' },
      { field: 'on', message: 'must be true or false' },
    ]);
    expect(() => readBody(body, [])).toThrow('The body must be a JSON object.');
    expect(() => readBody(body, undefined)).toThrow('The body must be a JSON object.');
  });

  it("ignores fields of an object's prototype", () => {
    expect(() => readBody(object({ toString: text() }, { required: ['toString'] }), {})).toThrow();
  });
});
