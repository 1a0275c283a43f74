import type { JsonObject } from '@weft/node-catalogue';
import { fromAiSchema } from './arguments-schema';

const propertiesOf = (parameters: JsonObject): unknown => fromAiSchema(parameters)['properties'];

describe('the schema of $fromAI calls', () => {
  it('has key, description, type and default of each call, wherever it is', () => {
    const parameters = {
      to: "={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('To', `who gets it`, 'string') }}",
      list: [
        {
          count:
            '={{ $fromAI("count", "", "Number", "3") + 1 }} of {{ $fromai("isHtml", "is it HTML", "boolean", false) }}',
        },
      ],
      options: { data: "={{ JSON.stringify($fromAi('data', 'a' + 'b', 'json', '{\"a\":1}')) }}" },
    };
    expect(fromAiSchema(parameters)).toEqual({
      type: 'object',
      properties: {
        To: { type: 'string', description: 'who gets it' },
        count: { type: 'number', default: 3 },
        isHtml: { type: 'boolean', description: 'is it HTML', default: false },
        data: {
          anyOf: [
            { type: 'object', minProperties: 1 },
            { type: 'array', minItems: 1 },
          ],
          description: 'ab',
          default: { a: 1 },
        },
      },
      required: ['To'],
      additionalProperties: false,
    });
  });

  it('ignores calls in plain text, in strings and in comments', () => {
    const parameters = {
      a: "$fromAI('plain')",
      b: `={{ "$fromAI('string')" /* $fromAI('comment') */ }}`,
      c: "=$fromAI('outside')",
      d: "={{ $json.$fromAI('member') }}",
    };
    expect(propertiesOf(parameters)).toEqual({});
  });

  it('is the same object for the same parameters', () => {
    const parameters = { a: "={{ $fromAI('x') }}" };
    expect(fromAiSchema(parameters)).toBe(fromAiSchema(parameters));
  });

  it('merges calls with the same key, and takes the first description and any default', () => {
    const parameters = { a: "={{ $fromAI('x') }}", b: "={{ $fromAI('x', 'a city', 'string', 'Bern') }}" };
    expect(fromAiSchema(parameters)).toMatchObject({
      properties: { x: { type: 'string', description: 'a city', default: 'Bern' } },
    });
    expect(fromAiSchema(parameters)).not.toHaveProperty('required');
  });

  it('does not require a key whose default is computed', () => {
    const schema = fromAiSchema({ a: "={{ $fromAI('day', '', 'string', $now.toISODate()) }}" });
    expect(schema).toEqual({ type: 'object', properties: { day: { type: 'string' } }, additionalProperties: false });
  });

  it.each<[string, JsonObject, string]>([
    [
      'two types for one key',
      { a: "={{ $fromAI('x', '', 'number') }}", b: "={{ $fromAI('x', '', 'boolean') }}" },
      '"x" has the type number in one place and boolean in another',
    ],
    ['no key', { a: '={{ $fromAI() }}' }, 'The parameter "a" has a $fromAI call without a key'],
    [
      'a computed key',
      { a: { b: ['={{ $fromAI($json.key) }}'] } },
      'The parameter "a.b[0]" has a $fromAI call without a key',
    ],
    ['a key with blanks', { a: "={{ $fromAI('two words') }}" }, 'with the key "two words"'],
    ['a long key', { a: `={{ $fromAI('${'k'.repeat(65)}') }}` }, 'with the key "kkk'],
    ['__proto__', { a: "={{ $fromAI('__proto__') }}" }, 'with the key "__proto__"'],
    ['an unknown type', { a: "={{ $fromAI('x', '', 'date') }}" }, 'gives the $fromAI key "x" the type "date"'],
    ['an expression that cannot be read', { a: "={{ $fromAI('x' }}" }, 'The parameter "a" is not a valid expression'],
    [
      'too many keys',
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`p${i}`, `={{ $fromAI('k${i}') }}`])),
      'more than 100 different keys',
    ],
    ['too many calls', { a: `=${"{{ $fromAI('x') }}".repeat(1_001)}` }, 'more than 1000 $fromAI calls'],
    ['too much text', { a: `={{ $fromAI('x', '${'d'.repeat(70_000)}') }}` }, 'at most 65536 fit'],
  ])('refuses %s with a sentence', (_, parameters, message) => {
    expect(() => fromAiSchema(parameters)).toThrow(message);
  });
});
