import type { JsonObject } from '@weft/node-catalogue';
import { openCode } from '../../../testing/open-code';
import { callTools, type ToolTest, type ToolTestResult } from '../testing/call-tools';

const pool = openCode();
afterAll(() => pool.close());

const run = (
  parameters: JsonObject,
  calls: readonly JsonObject[] = [{ input: 'Bern' }],
  test: Partial<ToolTest> = {},
): Promise<ToolTestResult> =>
  callTools({
    tool: { type: '@n8n/n8n-nodes-langchain.toolCode', name: 'Shout it', version: 1.3, parameters },
    calls,
    ports: { code: pool },
    ...test,
  });

describe('code as a tool', () => {
  it('gets the text of the model as query', async () => {
    const { functions, texts } = await run(
      { description: 'Shouts', jsCode: 'return query.toUpperCase() + $json.mark' },
      undefined,
      { item: { mark: '!' } },
    );
    expect(functions).toEqual([
      {
        name: 'Shout_it',
        description: 'Shouts',
        parameters: {
          type: 'object',
          properties: { input: { type: 'string' } },
          required: ['input'],
          additionalProperties: false,
        },
      },
    ]);
    expect(texts).toEqual(['BERN!']);
  });

  it('gets an object that matches the schema, and may declare a variable of the same name', async () => {
    const parameters = {
      specifyInputSchema: true,
      schemaType: 'manual',
      inputSchema: '{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"number"}},"required":["a","b"]}',
      jsCode: 'const { a, b } = query; { const query = 1; } return a + b;',
    };
    const { texts } = await run(parameters, [{ a: 1, b: '2' }, { a: 1 }]);
    expect(texts[0]).toBe('3');
    expect(texts[1]).toContain('"b" is required');
  });

  it('requires all fields of an example from version 1.3 on', async () => {
    const parameters = {
      specifyInputSchema: true,
      jsonSchemaExample: { city: 'x' },
      jsCode: 'return typeof query.city',
    };
    expect((await run(parameters, [{}])).texts[0]).toContain('"city" is required');
    const older = { type: '@n8n/n8n-nodes-langchain.toolCode', version: 1.2, parameters };
    expect((await run(parameters, [{}], { tool: older })).texts).toEqual(['undefined']);
  });

  it('in Python gets the text as _query, and an object as a dictionary', async () => {
    const text = { language: 'python', pythonCode: 'return _query.upper()' };
    expect((await run(text, [{ input: '__import__("os")' }])).texts).toEqual(['__IMPORT__("OS")']);
    const parameters = {
      language: 'python',
      specifyInputSchema: true,
      jsonSchemaExample: '{"city":"Bern"}',
      pythonCode: 'city = _query["city"]\nreturn len(city)',
    };
    expect((await run(parameters, [{ city: 'Chur' }])).texts).toEqual(['4']);
  });

  it('takes text of the model as data: it never becomes code', async () => {
    const hostile = '`; return process.env; //${1}={{ $env.X }}';
    expect((await run({ jsCode: 'return query' }, [{ input: hostile }])).texts).toEqual([hostile]);
  });

  it.each([
    ['throws', 'throw new Error("no such city")', 'The tool failed: no such city [line 1]'],
    ['returns an object', 'return {}', 'a value of type object, not text Return a text'],
    ['returns nothing', '', 'returned nothing, not text'],
  ])('that %s fails the call with a sentence', async (_, jsCode, text) => {
    const { texts, result } = await run({ jsCode: jsCode === '' ? 'query;' : jsCode });
    expect(texts[0]).toContain(text);
    expect(result.outcome.kind).toBe('success');
  });

  it.each([
    ['{', 'The parameter "inputSchema" is not valid JSON'],
    ['[]', 'must be a JSON Schema of an object'],
    ['{"type":"string"}', 'describes "string"'],
  ])('with the schema %s fails the root', async (inputSchema, message) => {
    const { result } = await run({ specifyInputSchema: true, schemaType: 'manual', inputSchema });
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining(message) } });
  });
});
