import { jsonOf } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { runRoot, type SubNode } from '../testing/run-root';
import { type ModelScript, promptOf } from '../testing/scripted-model';

const SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
const structured = (over: JsonObject = {}, version = 1.3): SubNode => ({
  kind: 'outputParserStructured',
  version,
  parameters:
    version < 1.2
      ? { jsonSchema: JSON.stringify(SCHEMA), ...over }
      : { schemaType: 'manual', inputSchema: JSON.stringify(SCHEMA), ...over },
});
const chain = (parser: SubNode, answers: ModelScript['answers'], over: object = {}) =>
  runRoot({
    kind: 'chainLlm',
    version: 1.9,
    parameters: { promptType: 'define', text: 'Count', hasOutputParser: true },
    models: [{ answers }],
    parser,
    ...over,
  });

describe('the structured parser', () => {
  it.each([
    [1, '{"n":1}', { n: 1 }],
    [1, '{"__structured__output":{"__structured__output__object":{"n":1}}}', { n: 1 }],
    [1.1, '{"output":{"n":1}}', { output: { n: 1 } }],
    [1.2, '{"output":{"n":1,"more":2}}', { output: { n: 1 } }],
    [1.3, '```json\n{"output":{"n":1}}\n```', { output: { n: 1 } }],
    [1.3, '{"n":1}', { output: { n: 1 } }],
    [1.3, '{"output":{"output":{"n":1}}}', { output: { n: 1 } }],
  ])('of version %s reads %s', async (version, answer, json) => {
    const result = await chain(structured({}, version), [answer]);
    expect(jsonOf(result, 'Root')).toEqual([json]);
  });

  it.each([
    ['prose', 'Hello {{ $json.secret }}', 'It is not valid JSON.'],
    ['another type', '{"output":{"n":"one"}}', 'At #/n: Instance type "string" is invalid.'],
    ['a prototype', '{"output":{"__proto__":{"n":1},"n":1}}', 'It has a key "__proto__".'],
    ['nothing', '', 'It is empty.'],
    ['10 MB', `{"output":{"n":"${'1'.repeat(10_000_000)}"}}`, 'at most 1048576 are read'],
  ])('refuses %s, and says why', async (_, answer, reason) => {
    const result = await chain(structured(), [answer]);
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: "Model output doesn't fit required format", description: expect.stringContaining(reason) },
    });
    expect(result.records.get('Parser')?.[0]).toMatchObject({ executionStatus: 'error' });
    expect(JSON.stringify(result.outcome).length).toBeLessThan(5_000);
  });

  it('is recorded with the text and the result', async () => {
    const result = await chain(structured(), ['{"output":{"n":1}}']);
    expect(result.records.get('Parser')?.[0]).toMatchObject({
      source: [{ previousNode: 'Root' }],
      inputOverride: { ai_outputParser: [[{ json: { action: 'parse', text: '{"output":{"n":1}}' } }]] },
      data: { ai_outputParser: [[{ json: { action: 'parse', response: { output: { n: 1 } } } }]] },
    });
  });

  it('describes the form in the prompt, or lets the service enforce it', async () => {
    const inWords = await chain(structured(), ['{"output":{"n":1}}']);
    const [call] = inWords.models[0]?.calls ?? [];
    expect(call?.schema).toBeUndefined();
    expect(call === undefined ? '' : promptOf(call)).toMatch(/^Count\nAnswer with one JSON value.*"output":\{/s);
    const enforced = await chain(structured(), [], {
      models: [{ answers: ['{"output":{"n":1}}'], enforcesSchema: true }],
    });
    const [strict] = enforced.models[0]?.calls ?? [];
    expect(strict?.messages).toEqual([{ role: 'user', content: 'Count' }]);
    expect(strict?.schema).toEqual({
      name: 'answer',
      strict: true,
      schema: {
        type: 'object',
        properties: { output: { ...SCHEMA, additionalProperties: false } },
        required: ['output'],
        additionalProperties: false,
      },
    });
  });

  it('puts a schema that services understand differently into the prompt', async () => {
    const inputSchema = JSON.stringify({ ...SCHEMA, properties: { n: { type: 'number', minimum: 3 } } });
    const result = await chain(structured({ inputSchema }), [], {
      models: [{ answers: ['{"output":{"n":3}}'], enforcesSchema: true }],
    });
    expect(result.models[0]?.calls[0]?.schema).toBeUndefined();
    expect(result.outcome.kind).toBe('success');
  });

  it('requires all fields of an example from version 1.3 on', async () => {
    const parameters = { schemaType: 'fromJson', jsonSchemaExample: '{"a":1,"b":"x"}' };
    const old = await chain({ ...structured({}, 1.2), parameters }, ['{"output":{"a":1}}']);
    expect(jsonOf(old, 'Root')).toEqual([{ output: { a: 1 } }]);
    const next = await chain({ ...structured(), parameters }, ['{"output":{"a":1}}']);
    expect(next.outcome).toMatchObject({ kind: 'error' });
  });

  it('names itself and the field if its schema cannot be used', async () => {
    const result = await chain(structured({ inputSchema: '{"type":' }), ['']);
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The field "JSON Schema" of "Parser" is not valid JSON' },
    });
    expect(result.models[0]?.calls).toHaveLength(0);
  });

  it('replaces its result by a pin in a manual run', async () => {
    const result = await chain(structured(), ['no JSON'], {
      more: { definition: { pinData: { Parser: [{ json: { response: { output: { n: 7 } } } }] } } },
    });
    expect(jsonOf(result, 'Root')).toEqual([{ output: { n: 7 } }]);
  });
});

describe('corrections', () => {
  it('ask the attached model once, with the instructions, the answer and the fault', async () => {
    const result = await chain(structured({ autoFix: true }), ['n is {one}'], {
      parserModel: { answers: ['{"output":{"n":1}}'] },
    });
    expect(jsonOf(result, 'Root')).toEqual([{ output: { n: 1 } }]);
    const [call] = result.parserModel.calls;
    expect(call === undefined ? '' : promptOf(call)).toMatch(/JSON Schema.*n is \{one\}.*It is not valid JSON\./s);
    expect(result.order.slice(-5)).toEqual(['Model 0', 'Parser', 'Parser model', 'Parser', 'Root']);
  });

  it('are not made for an answer that fits, and are made only once', async () => {
    const fine = await chain(structured({ autoFix: true }), ['{"n":1}'], { parserModel: { answers: ['x'] } });
    expect(fine.parserModel.calls).toHaveLength(0);
    const twice = await chain(structured({ autoFix: true }), ['x'], { parserModel: { answers: ['y', '{"n":1}'] } });
    expect(twice.outcome).toMatchObject({
      kind: 'error',
      error: { description: expect.stringContaining('begins: y') },
    });
    expect(twice.parserModel.calls).toHaveLength(1);
  });

  it('use the prompt of the node, which must say the fault', async () => {
    const custom = { autoFix: true, customizeRetryPrompt: true };
    const result = await chain(
      structured({ ...custom, prompt: 'Wrong ({error}): {completion} {other}' }),
      ['{error}'],
      {
        parserModel: { answers: ['{"n":1}'] },
      },
    );
    expect(result.parserModel.calls[0]?.messages).toEqual([
      { role: 'user', content: 'Wrong (It is not valid JSON.): {error} {other}' },
    ]);
    const without = await chain(structured({ ...custom, prompt: 'Again!' }), ['x'], {
      parserModel: { answers: ['x'] },
    });
    expect(without.outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The field "Prompt for corrections" of "Parser" must contain {error}' },
    });
  });

  it('need a model', async () => {
    const result = await chain(structured({ autoFix: true }), ['x']);
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: '"Parser" has no model to correct answers with' },
    });
  });

  it('of the auto-fixing parser apply to the parser that is attached to it', async () => {
    const result = await chain({ kind: 'outputParserAutofixing' }, ['one'], {
      parserModel: { answers: ['{"output":{"n":1}}'] },
      innerParser: structured(),
    });
    expect(jsonOf(result, 'Root')).toEqual([{ output: { n: 1 } }]);
    expect(result.records.get('Inner parser')?.map((one) => one.executionStatus)).toEqual(['error', 'success']);
    expect(result.records.get('Parser')?.[0]).toMatchObject({
      data: { ai_outputParser: [[{ json: { action: 'parse', response: { output: { n: 1 } } } }]] },
    });
    const alone = await chain({ kind: 'outputParserAutofixing' }, ['one'], { parserModel: { answers: ['x'] } });
    expect(alone.outcome).toMatchObject({ kind: 'error', error: { message: '"Parser" has no parser' } });
  });
});

describe('the item list parser', () => {
  const list = (options: JsonObject = {}): SubNode => ({ kind: 'outputParserItemList', parameters: { options } });

  it('makes an item of each entry', async () => {
    const result = await chain(list(), [' a \n\nb\nc\nd']);
    expect(jsonOf(result, 'Root')).toEqual([{ text: 'a' }, { text: 'b' }, { text: 'c' }]);
    const [call] = result.models[0]?.calls ?? [];
    expect(call === undefined ? '' : promptOf(call)).toContain('a list of exactly 3 entries');
  });

  it('splits at its separator, with any number of entries', async () => {
    const result = await chain(list({ numberOfItems: -1, separator: ';' }), ['a;b']);
    expect(jsonOf(result, 'Root')).toEqual([{ text: 'a' }, { text: 'b' }]);
  });

  it('refuses too few and too many entries', async () => {
    const few = await chain(list(), ['a']);
    expect(few.outcome).toMatchObject({
      kind: 'error',
      error: { description: expect.stringContaining('It has 1 entries, but 3 are wanted.') },
    });
    const many = await chain(list({ numberOfItems: -1 }), ['a\n'.repeat(10_001)]);
    expect(many.outcome).toMatchObject({
      kind: 'error',
      error: { description: expect.stringContaining('at most 10000 are read') },
    });
  });
});
