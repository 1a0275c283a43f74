import type { ScriptStep } from '@weft/models/testing';
import { modelNode } from '../agents';
import { node } from '../workflows';
import { type CompareCase, gpt, json, root, rootCase, say } from './case';

const LLM = { promptType: 'define', text: 'Name a city.' };
const EXAMPLE = JSON.stringify({ city: 'Rome', people: 3 });
const parserOf = (version: number, parameters: object) =>
  modelNode('Parser', 'outputParserStructured', version, { ...parameters });
const SCHEMA = JSON.stringify({
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'number' } },
  required: ['city'],
});
const withParser = (name: string, version: number, parser: ReturnType<typeof parserOf>, steps: CompareCase['steps']) =>
  rootCase(name, root('chainLlm', version, { ...LLM, hasOutputParser: true }), steps, {
    sub: [['ai_outputParser', parser]],
    hasOwnPrompts: true,
  });
const three = node('Three', 'code', 2, 0, {
  jsCode: 'return ["good", "bad", "odd"].map((text) => ({ json: { text } }))',
});
const afterThree = (name: string, first: ReturnType<typeof root>, answers: readonly ScriptStep[]): CompareCase => ({
  name,
  nodes: [three, first, gpt()],
  links: [['Model', 'ai_languageModel', 'Root']],
  next: ['Root'],
  steps: [],
  byWord: Object.fromEntries(['good', 'bad', 'odd'].map((word, at) => [word, answers[at] ?? {}])),
  hasOwnPrompts: true,
});
const categories = {
  categories: [
    { category: 'praise', description: 'good' },
    { category: 'blame', description: 'bad' },
  ],
};
const text = 'A long story about a fox. '.repeat(20);

export const CHAIN_CASES: readonly CompareCase[] = [
  ...[1.4, 1.5, 1.6, 1.7, 1.8, 1.9].map((version) =>
    rootCase(`chainLlm ${version}`, root('chainLlm', version, LLM), [say('Paris')]),
  ),
  rootCase(
    'chainLlm 1.7: messages',
    root('chainLlm', 1.7, {
      ...LLM,
      messages: {
        messageValues: [
          { type: 'SystemMessagePromptTemplate', message: 'Be brief.' },
          { type: 'HumanMessagePromptTemplate', messageType: 'text', message: 'A question {with braces}' },
          { type: 'AIMessagePromptTemplate', message: 'An answer' },
        ],
      },
    }),
    [say('Paris')],
  ),
  afterThree('chainLlm 1.7: three items', root('chainLlm', 1.7, { promptType: 'define', text: '={{ $json.text }}' }), [
    say('1'),
    say('2'),
    say('3'),
  ]),
  rootCase('chainLlm 1.6: JSON as text', root('chainLlm', 1.6, LLM), [json({ city: 'Paris' })]),
  withParser('chainLlm 1.7: a parser with an example', 1.7, parserOf(1.2, { jsonSchemaExample: EXAMPLE }), [
    json({ output: { city: 'Paris', people: 2 } }),
  ]),
  withParser(
    'chainLlm 1.6: a parser with a schema',
    1.6,
    parserOf(1.3, { schemaType: 'manual', inputSchema: SCHEMA }),
    [say('```json\n{"output":{"city":"Paris"}}\n```')],
  ),
  withParser(
    'chainLlm 1.7: a parser whose answer does not fit',
    1.7,
    parserOf(1.3, { schemaType: 'manual', inputSchema: SCHEMA }),
    [json({ output: { people: 'many' } })],
  ),
  rootCase(
    'chainLlm 1.7: a list',
    root('chainLlm', 1.7, { ...LLM, hasOutputParser: true }),
    [say('Paris\nRome\nOslo')],
    {
      sub: [['ai_outputParser', modelNode('List', 'outputParserItemList', 1, {})]],
      hasOwnPrompts: true,
      intended: { runs: 'each parse is a run of the parser; n8n records none for this kind' },
    },
  ),
  {
    name: 'chainLlm 1.7: a parser that corrects',
    nodes: [
      root('chainLlm', 1.7, { ...LLM, hasOutputParser: true }),
      gpt(),
      parserOf(1.3, { schemaType: 'manual', inputSchema: SCHEMA, autoFix: true }),
      gpt({}, 'Second'),
    ],
    links: [
      ['Model', 'ai_languageModel', 'Root'],
      ['Parser', 'ai_outputParser', 'Root'],
      ['Second', 'ai_languageModel', 'Parser'],
    ],
    steps: [json({ output: { people: 'many' } }), json({ output: { city: 'Paris', people: 2 } })],
    hasOwnPrompts: true,
    intended: { runs: 'each parse is a run of the parser; n8n has one more around both' },
  },
  rootCase(
    'informationExtractor 1: attributes',
    root('informationExtractor', 1, {
      text: 'Ann is 7 and lives in Paris.',
      schemaType: 'fromAttributes',
      attributes: {
        attributes: [
          { name: 'name', type: 'string', description: 'name', required: true },
          { name: 'age', type: 'number', description: 'age', required: false },
        ],
      },
      options: {},
    }),
    [json({ name: 'Ann', age: 7 })],
    { hasOwnPrompts: true },
  ),
  rootCase(
    'informationExtractor 1.2: an example',
    root('informationExtractor', 1.2, {
      text: 'Paris',
      schemaType: 'fromJson',
      jsonSchemaExample: EXAMPLE,
      options: {},
    }),
    [json({ city: 'Paris', people: 2 })],
    { hasOwnPrompts: true },
  ),
  rootCase(
    'informationExtractor 1.2: a schema',
    root('informationExtractor', 1.2, { text: 'Paris', schemaType: 'manual', inputSchema: SCHEMA, options: {} }),
    [json({ city: 'Paris' })],
    { hasOwnPrompts: true },
  ),
  afterThree(
    'textClassifier 1: one category',
    root('textClassifier', 1, { inputText: '={{ $json.text }}', categories, options: {} }),
    [json({ praise: true, blame: false }), json({ praise: false, blame: true }), json({ praise: false, blame: false })],
  ),
  afterThree(
    'textClassifier 1.1: several categories, and the others',
    root('textClassifier', 1.1, {
      inputText: '={{ $json.text }}',
      categories,
      options: { multiClass: true, fallback: 'other' },
    }),
    [
      json({ praise: true, blame: true, fallback: false }),
      json({ praise: false, blame: true, fallback: false }),
      json({ praise: false, blame: false, fallback: true }),
    ],
  ),
  ...[1, 1.1].map((version) =>
    afterThree(
      `sentimentAnalysis ${version}`,
      root('sentimentAnalysis', version, { inputText: '={{ $json.text }}', options: { includeDetailedResults: true } }),
      [
        json({ sentiment: 'Positive', strength: 0.9, confidence: 0.8 }),
        json({ sentiment: 'Negative', strength: 0.5, confidence: 0.5 }),
        json({ sentiment: 'Neutral', strength: 0.1, confidence: 0.2 }),
      ],
    ),
  ),
  ...[2, 2.1].flatMap((version) =>
    ['map_reduce', 'stuff', 'refine'].map((method) => ({
      ...rootCase(
        `chainSummarization ${version}: ${method}`,
        root('chainSummarization', version, {
          operationMode: 'nodeInputJson',
          chunkingMode: 'simple',
          chunkSize: 300,
          chunkOverlap: 0,
          options: { summarizationMethodAndPrompts: { values: { summarizationMethod: method } } },
        }),
        [say('A fox.')],
        { hasOwnPrompts: true },
      ),
      nodes: [
        node('Story', 'set', 3.4, 0, { mode: 'raw', jsonOutput: JSON.stringify({ story: text }), options: {} }),
        root('chainSummarization', version, {
          operationMode: 'nodeInputJson',
          chunkingMode: 'simple',
          chunkSize: 300,
          chunkOverlap: 0,
          options: { summarizationMethodAndPrompts: { values: { summarizationMethod: method } } },
        }),
        gpt(),
      ],
      next: ['Root'],
    })),
  ),
];
