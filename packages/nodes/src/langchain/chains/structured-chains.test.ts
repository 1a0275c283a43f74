import { itemsOf, jsonOf } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { type RootRun, runRoot } from '../testing/run-root';
import { promptOf } from '../testing/scripted-model';

const failure = (reason: string) => ({
  kind: 'error',
  error: { message: "Model output doesn't fit required format", description: expect.stringContaining(reason) },
});

describe('the information extractor', () => {
  const attributes = (...list: JsonObject[]) => ({ attributes: { attributes: list } });
  const run = (parameters: JsonObject, answers: string[], over: Partial<RootRun> = {}) =>
    runRoot({
      kind: 'informationExtractor',
      items: [{ t: 'Ada was born on 1815-12-10.' }],
      models: [{ answers }],
      parameters: { text: '={{ $json.t }}', ...parameters },
      ...over,
    });
  const born = attributes({ name: 'born', type: 'date', required: true }, { name: 'died', type: 'date' });

  it('gives the attributes, without those that are null or unknown', async () => {
    const result = await run(born, ['{"born":"1815-12-10","died":null,"x":1}']);
    expect(itemsOf(result, 'Root')).toEqual([{ json: { output: { born: '1815-12-10' } }, pairedItem: { item: 0 } }]);
    const [call] = result.models[0]?.calls ?? [];
    expect(call?.messages[1]).toEqual({ role: 'user', content: 'Ada was born on 1815-12-10.' });
  });

  it('asks once more for an answer that does not fit, and then fails', async () => {
    const corrected = await run(born, ['{"born":"in 1815"}', '{"born":"1815-12-10"}']);
    expect(jsonOf(corrected, 'Root')).toEqual([{ output: { born: '1815-12-10' } }]);
    const wrong = await run(born, ['{"born":"in 1815"}', 'I do not know']);
    expect(wrong.outcome).toMatchObject(failure('It is not valid JSON.'));
    expect(wrong.models[0]?.calls).toHaveLength(2);
  });

  it.each([
    [1, { a: 1 }],
    [1.1, { a: 1 }],
  ])('of version %s has optional fields from an example', async (version, output) => {
    const parameters = { schemaType: 'fromJson', jsonSchemaExample: '{"a":1,"b":2}' };
    expect(jsonOf(await run(parameters, ['{"a":1}'], { version }), 'Root')).toEqual([{ output }]);
  });

  it('of version 1.2 has required fields from an example', async () => {
    const parameters = { schemaType: 'fromJson', jsonSchemaExample: '{"a":1,"b":2}' };
    expect((await run(parameters, ['{"a":1}'])).outcome).toMatchObject(failure('required property "b"'));
  });

  it('uses the schema mode of the service where there is one', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const result = await run({ schemaType: 'manual', inputSchema: JSON.stringify(schema) }, [], {
      models: [{ answers: ['{"a":1}'], enforcesSchema: true }],
    });
    expect(result.models[0]?.calls[0]?.schema).toMatchObject({ strict: true });
    expect(result.models[0]?.calls.map(promptOf)[0]).not.toContain('JSON Schema');
  });

  it.each([
    [{ text: '' }, 'There is no text to extract from'],
    [attributes(), 'At least one attribute must be specified'],
    [attributes({ name: '' }), 'Attribute 1 has no name'],
    [attributes({ name: 'x'.repeat(501) }), 'The name of attribute 1 has more than 500 characters'],
  ])('with %j fails before a call', async (parameters, message) => {
    const result = await run({ ...born, ...parameters }, ['{}']);
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message } });
    expect(result.models[0]?.calls).toHaveLength(0);
  });
});

describe('the text classifier', () => {
  const categories = {
    categories: { categories: [{ category: 'Sport' }, { category: 'News', description: 'Facts' }] },
  };
  const run = (answers: string[], options: JsonObject = {}, over: Partial<RootRun> = {}) =>
    runRoot({
      kind: 'textClassifier',
      items: answers.map((_, n) => ({ t: `text ${n}` })),
      models: [{ answers }],
      version: 1,
      parameters: { inputText: '={{ $json.t }}', ...categories, options },
      ...over,
    });

  it('sends items to the outputs of their categories, in order', async () => {
    const result = await run([
      '{"Sport":true,"News":false}',
      '{"Sport":false,"News":true}',
      '{"Sport":true,"News":true}',
    ]);
    expect(itemsOf(result, 'Root', 0, 0)).toEqual([
      { json: { t: 'text 0' }, pairedItem: { item: 0 } },
      { json: { t: 'text 2' }, pairedItem: { item: 2 } },
    ]);
    expect(jsonOf(result, 'Root', 0, 1)).toEqual([{ t: 'text 1' }, { t: 'text 2' }]);
  });

  it('leaves items without a category out, or sends them to the last output', async () => {
    const none = '{"Sport":false,"News":false}';
    expect((await run([none])).records.get('Root')?.[0]?.data?.main).toEqual([[], []]);
    const fallback = '{"Sport":false,"News":false,"fallback":true}';
    const other = await run([fallback, '{"Sport":false,"News":false,"fallback":false}'], { fallback: 'other' });
    expect(jsonOf(other, 'Root', 0, 2)).toEqual([{ t: 'text 0' }, { t: 'text 1' }]);
  });

  it('refuses a category that does not exist, and asks for a correction if it may', async () => {
    expect((await run(['{"Weather":true}'])).outcome).toMatchObject(failure('does not have required property'));
    const fixed = await runRoot({
      kind: 'textClassifier',
      items: [{ t: 'x' }],
      models: [{ answers: ['Weather', '{"Sport":true,"News":false}'] }],
      parameters: { inputText: '={{ $json.t }}', ...categories, options: { enableAutoFixing: true } },
    });
    expect(jsonOf(fixed, 'Root', 0, 0)).toEqual([{ t: 'x' }]);
  });

  it('names the categories where the prompt of the node says so, and treats them as text', async () => {
    const result = await run(['{"Sport":true,"News":false}'], { systemPromptTemplate: 'Pick: {categories} {other}' });
    expect(result.models[0]?.calls.map(promptOf)[0]).toContain('Pick: Sport, News {other}');
  });

  it('sends failed items to the first output, or to the error output', async () => {
    const answers = ['no', '{"Sport":false,"News":true}'];
    const regular = await run(answers, {}, { node: { onError: 'continueRegularOutput' } });
    expect(jsonOf(regular, 'Root', 0, 0)).toEqual([{ error: "Model output doesn't fit required format" }]);
    const separate = await run(answers, {}, { node: { onError: 'continueErrorOutput' } });
    expect(separate.records.get('Root')?.[0]?.data?.main?.map((items) => items.length)).toEqual([0, 1, 1]);
  });

  it.each([
    [{ inputText: '' }, 'There is no text to classify'],
    [{ categories: {} }, 'At least one category must be defined'],
    [{ categories: { categories: [{ category: '__proto__' }] } }, 'Category 1 has no name'],
    [
      { categories: { categories: [{ category: 'x'.repeat(501) }] } },
      'The name of category 1 has more than 500 characters',
    ],
  ])('with %j fails before a call', async (parameters, message) => {
    const result = await run(['{}'], {}, { parameters: { inputText: 'x', ...categories, ...parameters } });
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message } });
    expect(result.models[0]?.calls).toHaveLength(0);
  });
});

describe('the sentiment analysis', () => {
  const answer = (sentiment: string): string => JSON.stringify({ sentiment, strength: 0.5, confidence: 1 });
  const run = (answers: string[], options: JsonObject = {}, over: Partial<RootRun> = {}) =>
    runRoot({
      kind: 'sentimentAnalysis',
      items: answers.map((_, n) => ({ t: `text ${n}` })),
      models: [{ answers }],
      version: 1,
      parameters: { inputText: '={{ $json.t }}', options },
      ...over,
    });

  it('adds the sentiment, and sends the item to its output', async () => {
    const result = await run([answer('Negative'), answer('positive')]);
    expect(itemsOf(result, 'Root', 0, 2)).toEqual([
      { json: { t: 'text 0', sentimentAnalysis: { category: 'Negative' } }, pairedItem: { item: 0 } },
    ]);
    expect(jsonOf(result, 'Root', 0, 0)).toEqual([{ t: 'text 1', sentimentAnalysis: { category: 'Positive' } }]);
  });

  it('has outputs and details as the options say', async () => {
    const result = await run([answer('Angry')], { categories: 'Calm, Angry,', includeDetailedResults: true });
    expect(result.records.get('Root')?.[0]?.data?.main).toHaveLength(2);
    expect(jsonOf(result, 'Root', 0, 1)).toEqual([
      { t: 'text 0', sentimentAnalysis: { category: 'Angry', strength: 0.5, confidence: 1 } },
    ]);
  });

  it('refuses a sentiment that is not in the list, and a strength beyond 1', async () => {
    expect((await run([answer('Ecstatic')])).outcome).toMatchObject(
      failure('"Ecstatic" is not one of Positive, Neutral, Negative.'),
    );
    const strong = '{"sentiment":"Positive","strength":7,"confidence":1}';
    expect((await run([strong])).outcome).toMatchObject(failure('At #/strength'));
  });

  it.each([
    [{ inputText: '' }, 'There is no text to analyze'],
    [{ options: { categories: ' , ' } }, 'No sentiment categories provided'],
  ])('with %j fails before a call', async (parameters, message) => {
    const result = await run(['{}'], {}, { parameters: { inputText: 'x', ...parameters } });
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message } });
    expect(result.models[0]?.calls).toHaveLength(0);
  });
});
