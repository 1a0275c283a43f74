import { modelNode } from '../agents';
import { LOADED_TEXT } from './every-format';
import { callWith, completion, DONE, type HostileScenario, lookup, say } from './scenario';

const manyIds = (id: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id, name: 'Lookup', input: { q: `n${n}` } }));

/** Answers of a model, in the format of chat completions, to an agent with tools. */
export const HOSTILE_ANSWERS: readonly HostileScenario[] = [
  {
    what: 'is text that would be code elsewhere',
    steps: () => [say(LOADED_TEXT)],
    ends: 'success',
    shows: /SERVICE_KEY/,
  },
  {
    what: 'is 9 MB of text',
    steps: () => [say('x'.repeat(9_000_000))],
    ends: 'success',
  },
  {
    what: 'has no choice',
    steps: () => [{ raw: { body: '{"choices":[]}' } }],
    ends: 'error',
    shows: /no choice with a message/,
  },
  {
    what: 'has fields of other types',
    steps: () => [completion({ role: 7, content: { a: 1 }, tool_calls: 'none', refusal: [] }, { usage: 'much' })],
    ends: 'success',
  },
  {
    what: 'has names that every object has',
    steps: () => [
      callWith('{"q":"a"}', '__proto__'),
      callWith('{"q":"a"}', 'constructor'),
      callWith('{"q":"a","constructor":{"prototype":{"x":1}},"$where":"1","a.b":1,"$set":{"x":1}}'),
      DONE,
    ],
    ends: 'success',
    shows: /There is no tool \\?"constructor/,
  },
  {
    what: 'calls a tool that there is not, and one of another workflow',
    steps: () => [callWith('{}', 'DeleteEverything'), callWith('{}', 'Webhook'), DONE],
    ends: 'success',
    shows: /There is no tool \\?"DeleteEverything/,
  },
  {
    what: 'has a tool name of 100,000 letters',
    steps: () => [callWith('{}', 'x'.repeat(100_000))],
    ends: 'error',
    shows: /without a valid name/,
  },
  {
    what: 'gives all its calls the same id',
    steps: () => [{ answer: { toolCalls: manyIds('same', 20) } }, DONE],
    ends: 'success',
  },
  {
    what: 'has ids like paths and of 50,000 letters',
    steps: () => [{ answer: { toolCalls: [...manyIds('../../0/0/x', 1), ...manyIds('y'.repeat(50_000), 2)] } }, DONE],
    ends: 'success',
  },
  {
    what: 'calls 128 tools with 60 KB each',
    steps: () => [
      {
        answer: {
          toolCalls: Array.from({ length: 128 }, (_, n) => ({
            id: `c${n}`,
            name: 'Lookup',
            input: { q: 'z'.repeat(60_000) },
          })),
        },
      },
    ],
    ends: 'error',
  },
  {
    what: 'calls 128 tools in each of its answers',
    steps: () => [{ answer: { toolCalls: manyIds('c', 128) } }],
    ends: 'error',
    shows: /tool calls/,
  },
  {
    what: 'gives arguments that are not JSON, too large, too deep or not an object',
    steps: () => [
      callWith('{"q": "a'),
      callWith(JSON.stringify({ q: 'x'.repeat(300_000) })),
      callWith(`{"q":${'['.repeat(70)}${']'.repeat(70)}}`),
      callWith('[1]'),
      callWith('{"q": {"$ne": null}}'),
      DONE,
    ],
    ends: 'success',
    shows: /is not valid JSON/,
  },
  {
    what: 'leaves the address of its tool by its argument',
    steps: ({ elsewhere }) => [
      { answer: lookup(`x&key=1#@${elsewhere}/../../..//${elsewhere}`) },
      { answer: lookup(`\r\nHost: evil.example\r\nX-Injected: 1`) },
      DONE,
    ],
    ends: 'success',
  },
  {
    what: 'asks for endless arithmetic',
    steps: () => [
      callWith('{"input":"9^9^9^9^9"}', 'Calculator'),
      callWith(JSON.stringify({ input: `${'('.repeat(50_000)}1${')'.repeat(50_000)}` }), 'Calculator'),
      callWith(JSON.stringify({ input: '170!'.repeat(5_000) }), 'Calculator'),
      callWith('{"input":"process.exit(1)"}', 'Calculator'),
      DONE,
    ],
    ends: 'success',
  },
  {
    what: 'breaks out of a text of code',
    steps: () => [
      callWith(JSON.stringify({ input: '"); process.exit(1); ("' }), 'Script'),
      callWith(JSON.stringify({ input: '`${globalThis.process?.env}`' }), 'Script'),
      DONE,
    ],
    ends: 'success',
  },
  {
    what: 'reports tokens below zero, which would extend the limit',
    steps: () => [
      completion(
        { content: 'It is done.' },
        { usage: { prompt_tokens: -1e12, completion_tokens: -5, total_tokens: -9 } },
      ),
    ],
    ends: 'success',
  },
  {
    what: 'reports more tokens than there are',
    steps: () => [
      completion({ content: 'x' }, { usage: { prompt_tokens: 1e300, completion_tokens: 1e300, total_tokens: 1e300 } }),
    ],
    ends: 'error',
    shows: /tokens/,
  },
  {
    what: 'has half characters, 200,000 combining marks and directions',
    steps: () => [
      { raw: { body: '{"choices":[{"message":{"content":"\\ud800\\udfff\\ud83d \\u0000 \\u202e\\u2066"}}]}' } },
      say(`a${'\u0301'.repeat(200_000)}`),
    ],
    ends: 'success',
  },
  {
    what: 'answers an extractor with another form each time',
    root: modelNode('Agent', 'informationExtractor', 1.2, {
      text: 'Ann is 7.',
      schemaType: 'fromAttributes',
      attributes: { attributes: [{ name: 'age', type: 'number', description: 'age', required: true }] },
    }),
    steps: () => [say('{"age":{"__proto__":{"x":1}}}'), say('{"age":"={{ 1 }}"}')],
    ends: 'error',
  },
  {
    what: 'gives a classifier categories that there are not',
    root: modelNode('Agent', 'textClassifier', 1.1, {
      inputText: 'A complaint.',
      categories: { categories: [{ category: 'good' }, { category: 'bad' }] },
      options: {},
    }),
    steps: () => [say('{"good":"yes","__proto__":{"bad":true},"constructor":true}'), say('{"toString":true,"evil":1}')],
    ends: 'error',
  },
  {
    what: 'answers a parser with a million entries and a string that is slow to match',
    root: modelNode('Agent', 'chainLlm', 1.7, { promptType: 'define', text: 'List.', hasOutputParser: true }),
    schema: {
      type: 'object',
      properties: {
        list: { type: 'array', uniqueItems: true, items: { type: 'number' } },
        word: { type: 'string', pattern: '^(a+)+$' },
      },
    },
    steps: () => [
      say(JSON.stringify({ list: Array.from({ length: 400_000 }, (_, n) => n), word: `${'a'.repeat(50_000)}!` })),
    ],
    ends: 'error',
  },
  {
    what: 'answers a parser with a tower of schemas that refer to each other',
    root: modelNode('Agent', 'chainLlm', 1.7, { promptType: 'define', text: 'Nest.', hasOutputParser: true }),
    schema: {
      type: 'object',
      properties: { a: { $ref: '#/definitions/n' } },
      definitions: {
        n: { anyOf: [{ $ref: '#/definitions/m' }, { $ref: '#/definitions/m' }, { type: 'null' }] },
        m: {
          type: 'object',
          properties: { a: { $ref: '#/definitions/n' }, b: { $ref: '#/definitions/n' } },
          required: ['z'],
        },
      },
    },
    steps: () => {
      let tower: object = {};
      for (let level = 0; level < 40; level += 1) tower = { a: tower, b: {} };
      return [say(JSON.stringify({ a: tower }))];
    },
    ends: 'error',
  },
];
