import type { Json, JsonObject } from '@weft/node-catalogue';
import { checkerOf } from './check-value';
import { normalized } from './normalized';
import { schemaParameterOf } from './read-schema';
import { schemaOfExample } from './schema-of-example';

const PLACE = { field: 'JSON Schema', node: 'N', itemIndex: 0 };
const check = (schema: JsonObject, value: Json): string | undefined => checkerOf(schema, PLACE)(value);
const object = (properties: JsonObject, over: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...over });

describe('a value', () => {
  it.each<[string, JsonObject, Json]>([
    ['types', object({ a: { type: 'string' }, b: { type: 'integer' } }), { a: 'x', b: 1 }],
    [
      'fields named like keywords',
      object({ type: { type: 'string' }, enum: { type: 'number' } }),
      { type: 'x', enum: 1 },
    ],
    ['a nullable type', object({ a: { type: 'string', nullable: true } }), { a: null }],
    ['a missing field with a default', object({ a: { type: 'string', default: 'x' } }, { required: ['a'] }), {}],
    ['a type that is unknown', object({ a: { type: 'any' } }), { a: [1] }],
    ['a string in place of a schema', object({ a: 'string' }), { a: [1] }],
    ['a reference', { ...object({ a: { $ref: '#/$defs/n' } }), $defs: { n: { type: 'number' } } }, { a: 1 }],
    ['a recursive schema', object({ next: { $ref: '#' } }), { next: { next: {} } }],
    ['a pattern', object({ a: { type: 'string', pattern: '^[A-Z]{2}-\\d+$' } }), { a: 'AB-12' }],
    ['formats', object({ a: { format: 'date' }, b: { format: 'uri' } }), { a: '2026-01-31', b: 'https://x.y/z' }],
    ['names of prototypes', object({ constructor: { type: 'string' } }), {}],
    ['alternatives', { anyOf: [{ type: 'null' }, { type: 'string' }] }, 'x'],
    ['draft 4 bounds', { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, type: 'number' }, 1],
  ])('fits a schema with %s', (_, schema, value) => {
    expect(check(schema, value)).toBeUndefined();
  });

  it.each<[string, JsonObject, Json, string]>([
    ['type', object({ a: { type: 'string' } }), { a: 1 }, 'At #/a: Instance type "number" is invalid'],
    ['missing field', object({ a: {} }, { required: ['a'] }), {}, 'required property "a"'],
    ['required: true on the field', object({ a: { required: true } }), {}, 'required property "a"'],
    [
      'reference',
      { ...object({ a: { $ref: '#/definitions/n' } }), definitions: { n: { type: 'number' } } },
      { a: 'x' },
      '#/a',
    ],
    ['recursive schema', object({ next: { $ref: '#' }, n: { type: 'number' } }), { next: { n: 'x' } }, '#/next/n'],
    ['pattern', object({ a: { pattern: '^[A-Z]+$' } }), { a: 'ab' }, 'does not match pattern'],
    ['format', object({ a: { format: 'date' } }), { a: 'yesterday' }, 'does not match format'],
    ['address', object({ a: { format: 'uri' } }), { a: 'nowhere' }, 'does not match pattern'],
    ['repeated entries', { type: 'array', uniqueItems: true }, [1, 1], 'Duplicate items'],
    ['further field', object({}, { additionalProperties: false }), { a: 1 }, 'Property "a" does not match additional'],
    ['value', { enum: ['a', 'b'] }, 'c', 'does not match any of'],
  ])('is refused for its %s', (_, schema, value, reason) => {
    expect(check(schema, value)).toContain(reason);
  });

  it('is checked with bounded work, however the schema multiplies it', () => {
    const twice = (name: string): JsonObject => ({ allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }] });
    const names = Array.from({ length: 30 }, (_, index) => `s${index}`);
    const bomb: JsonObject = {
      $ref: '#/$defs/s0',
      $defs: Object.fromEntries(names.map((name, index) => [name, index === 29 ? {} : twice(`s${index + 1}`)])),
    };
    const both: JsonObject = { anyOf: [object({ a: { $ref: '#' } }), object({ a: { $ref: '#' }, b: {} })] };
    const deep = Array.from({ length: 60 }).reduce<Json>((value) => ({ a: value }), 1);
    expect(check(bomb, {})).toBe('The value takes too long to check.');
    expect(check(both, deep)).toBe('The value takes too long to check.');
    expect(
      check(
        { type: 'array', uniqueItems: true },
        Array.from({ length: 100_000 }, (_, n) => n),
      ),
    ).toContain('too long');
    expect(check(object({ a: { pattern: '(x+)y' } }), { a: 'x'.repeat(500_000) })).toContain('too long');
    expect(check(object({ a: { format: 'url' } }), { a: `http://${'a-'.repeat(50_000)}` })).toBeUndefined();
  });
});

describe('a schema', () => {
  it.each<[string, unknown, string]>([
    ['is not JSON', '{"a": ', 'The field "JSON Schema" of "N" is not valid JSON'],
    ['is empty', '', 'The field "JSON Schema" of "N" is empty'],
    ['is a list', '[]', 'The field "JSON Schema" of "N" is not a JSON Schema'],
    ['is large', { description: 'x'.repeat(70_000) }, 'bytes; at most 65536 are allowed'],
    ['is deep', '{"items":'.repeat(41) + '{}' + '}'.repeat(41), 'nested deeper than 40 levels'],
    ['has a prototype', '{"properties":{"__proto__":{}}}', 'has a key "__proto__"'],
    ['refers to itself', { $ref: '#' }, 'has a reference that leads back to itself'],
    ['refers in a circle', { allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { $ref: '#' } } }, 'leads back to itself'],
    ['refers to nothing', { $ref: '#/$defs/a' }, 'has a reference "#/$defs/a" that leads nowhere'],
    ['refers to a server', { $ref: 'https://example.com/s.json' }, 'has a reference "https://example.com/s.json" at #'],
    ['has a broken pattern', { pattern: '(' }, 'has an invalid regular expression at #: ('],
    ['has a slow pattern', { pattern: '^(a+)+$' }, 'has a regular expression at # that can take very long: ^(a+)+$'],
    ['has a slow name', { patternProperties: { '(a|a)*b': {} } }, 'that can take very long'],
    ['has thousands of schemas', { anyOf: Array.from({ length: 2_001 }, () => ({})) }, 'more than 2000 schemas'],
  ])('is refused if it %s', (_, value, message) => {
    expect(() => checkerOf(schemaParameterOf(value, PLACE), PLACE)).toThrow(message);
  });
});

describe('the schema of an example', () => {
  it('has the types of all fields, which are required if wanted', () => {
    const example = { a: 'x', b: [1, 2], c: { d: true, e: null } };
    expect(schemaOfExample(example, false)).toEqual(
      object({
        a: { type: 'string' },
        b: { type: 'array', items: { type: 'number' } },
        c: object({ d: { type: 'boolean' }, e: { type: 'null' } }),
      }),
    );
    expect(schemaOfExample(example, true)).toMatchObject({
      required: ['a', 'b', 'c'],
      properties: { c: { required: ['d', 'e'] } },
    });
  });

  it('describes entries of a list together', () => {
    expect(schemaOfExample([{ a: 1, b: 1 }, { a: 'x' }], false)).toEqual({
      type: 'array',
      items: object(
        { a: { anyOf: [{ type: 'number' }, { type: 'string' }] }, b: { type: 'number' } },
        { required: ['a'] },
      ),
    });
    expect(schemaOfExample([1, 'x', 2], false)).toEqual({
      type: 'array',
      items: { anyOf: [{ type: 'number' }, { type: 'string' }] },
    });
    expect(schemaOfExample([], false)).toEqual({ type: 'array', items: {} });
  });
});

describe('a result', () => {
  it('has no fields that the schema does not name, and has defaults', () => {
    const schema = object({
      a: object({ b: {} }),
      list: { type: 'array', items: object({ c: {} }) },
      open: object({ d: {} }, { additionalProperties: true }),
      given: { default: 5 },
    });
    const value = { a: { b: 1, x: 1 }, list: [{ c: 1, x: 1 }], open: { d: 1, x: 1 }, x: 1 };
    expect(normalized(value, schema)).toEqual({ a: { b: 1 }, list: [{ c: 1 }], open: { d: 1, x: 1 }, given: 5 });
  });

  it('has its fields in the order of the schema', () => {
    const value = normalized({ z: 1, b: 2, a: 3 }, object({ a: {}, b: {} }, { additionalProperties: {} }));
    expect(Object.keys(value ?? {})).toEqual(['a', 'b', 'z']);
  });

  it('keeps all fields where schemas are combined', () => {
    expect(normalized({ a: 1, b: 2 }, { ...object({ a: {} }), anyOf: [object({ b: {} })] })).toEqual({ a: 1, b: 2 });
  });
});
