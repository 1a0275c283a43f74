import type { JsonObject } from '@weft/node-catalogue';
import { checkArguments } from './check-arguments';

const schema: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer', minimum: 1 },
    isDry: { type: 'boolean' },
    filter: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
    unit: { enum: ['C', 'F'], default: 'C' },
  },
  required: ['city'],
  additionalProperties: false,
};
const faultOf = (given: JsonObject, over = schema): string => {
  const checked = checkArguments(over, given);
  return 'fault' in checked ? checked.fault : `accepted: ${JSON.stringify(checked.input)}`;
};
const deep = (levels: number): JsonObject =>
  Array.from({ length: levels }).reduce<JsonObject>((inner) => ({ a: inner }), {});

describe('arguments of a call', () => {
  it.each([
    [
      'converts text that can only be a number, a boolean or JSON',
      { city: 'Bern', days: ' 3 ', isDry: 'TRUE', filter: '{"zone":"a"}' },
      { city: 'Bern', days: 3, isDry: true, filter: { zone: 'a' }, unit: 'C' },
    ],
    ['makes text of a number', { city: 3011 }, { city: '3011', unit: 'C' }],
    [
      'leaves out arguments that the schema excludes',
      { city: 'Bern', url: 'https://evil.example' },
      { city: 'Bern', unit: 'C' },
    ],
    ['leaves out null for an optional argument', { city: 'Bern', days: null }, { city: 'Bern', unit: 'C' }],
    ['keeps expressions as text', { city: '={{ $env.SECRET }}' }, { city: '={{ $env.SECRET }}', unit: 'C' }],
  ])('%s', (_, given, input) => {
    expect(checkArguments(schema, given)).toEqual({ input });
  });

  it.each([
    ['a missing argument', { days: 1 }, '"city" is required'],
    ['a wrong type', { city: ['a'] }, '"city" must be string, not array'],
    ['text that is not a number', { city: 'a', days: 'many' }, '"days" must be integer, not string'],
    ['a fraction', { city: 'a', days: 1.5 }, '"days" must be integer'],
    ['a value below the minimum', { city: 'a', days: 0 }, '"days": '],
    ['a value out of the list', { city: 'a', unit: 'K' }, '"unit": Instance does not match any of ["C","F"]'],
    ['a missing field of a field', { city: 'a', filter: {} }, '"filter" requires "zone"'],
    ['null for a required argument', { city: null }, '"city" must be string, not null'],
  ])('names %s', (_, given, text) => {
    expect(faultOf(given)).toContain(text);
    expect(faultOf(given)).toContain('Correct them and call it again.');
  });

  it('names at most five faults', () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'number' }]));
    expect(faultOf(Object.fromEntries(names.map((name) => [name, 'x'])), { type: 'object', properties })).toContain(
      '"n4" must be number, not string; and 15 more',
    );
  });

  it.each([
    ['__proto__', JSON.parse('{"city":"a","filter":{"__proto__":{"isAdmin":true}}}'), '"__proto__" is not allowed'],
    ['__proto__ in text', { city: 'a', filter: '{"__proto__":{}}' }, '"filter" must be object, not string'],
    ['deep nesting', { city: 'a', filter: deep(70) }, 'more than 64 levels'],
    ['256 KB', { city: 'x'.repeat(262_144) }, 'at most 262144 are allowed'],
  ])('refuse %s', (_, given, text) => {
    expect(faultOf(given)).toContain(text);
    expect(Object.hasOwn(Object.prototype, 'isAdmin')).toBe(false);
  });

  it('are refused if only alternatives do not match', () => {
    const either: JsonObject = {
      type: 'object',
      properties: { anyOf: { anyOf: [{ type: 'object', minProperties: 1 }, { type: 'array' }] } },
    };
    expect(faultOf({ anyOf: 'x' }, either)).toContain('"anyOf": Instance does not match any');
    expect(faultOf({ anyOf: {} }, either)).toContain('do not match the schema');
  });
});

describe('a hostile schema', () => {
  const bomb: JsonObject = { type: 'object', properties: { a: { $ref: '#/$defs/l0' } }, $defs: {} };
  const levels = Array.from({ length: 30 }, (_, level): [string, JsonObject] => [
    `l${level}`,
    { allOf: Array.from({ length: 10 }, () => ({ $ref: `#/$defs/l${level + 1}` })) },
  ]);

  it.each<[string, JsonObject, JsonObject]>([
    ['with references that multiply at every level', { ...bomb, $defs: Object.fromEntries(levels) }, { a: 'x' }],
    ['that refers to itself', { type: 'object', properties: { a: { $ref: '#' } } }, { a: {} }],
    [
      'with a slow pattern',
      { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      { a: `${'a'.repeat(40)}!` },
    ],
    [
      'with unique entries',
      { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
      { a: Array.from({ length: 40_000 }, (_, i) => i) },
    ],
    [
      'with keywords of the wrong type',
      { type: 'object', required: 'a', enum: 5, properties: [], anyOf: {}, minimum: 'x', $id: 'http://[', $ref: 7 },
      { a: 1 },
    ],
    [
      'with a name that leads to the prototype',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      { a: 1 },
    ],
  ])('%s is checked in bounded time', (_, hostile, given) => {
    const start = performance.now();
    expect('input' in checkArguments(hostile, given)).toBe(true);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it.each([
    ['alternatives', { anyOf: Array.from({ length: 500 }, (_, index) => ({ const: index })) }],
    ['choices', { enum: Array.from({ length: 5_000 }, (_, index) => index) }],
  ])('is refused for more values than it can check in bounded time, with many %s', (_, items) => {
    const wide: JsonObject = { type: 'object', properties: { a: { type: 'array', items } } };
    expect(faultOf({ a: Array.from({ length: 50_000 }, () => -1) }, wide)).toContain('too many values');
  });

  it('resolves references within the schema', () => {
    const known: JsonObject = {
      type: 'object',
      properties: { a: { $ref: '#/definitions/city~1town' } },
      definitions: { 'city/town': { type: 'string', maxLength: 3 } },
    };
    expect(checkArguments(known, { a: 'abc' })).toEqual({ input: { a: 'abc' } });
    expect(faultOf({ a: 'abcd' }, known)).toContain('"a": ');
  });
});
