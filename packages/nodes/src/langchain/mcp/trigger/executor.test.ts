import { createHash } from 'node:crypto';
import type { HttpResponse } from '@weft/engine';
import { jsonOf, runInPieces, runTest, type TestRun } from '@weft/engine/testing';
import { isJsonObject, type JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';

const TYPE = '@n8n/n8n-nodes-langchain.';

/** A server with a tool `Sum`, and a tool `Keep` that hashes what the model gives and the user agent. */
const testOf = (input: readonly JsonObject[], over: Partial<TestRun> = {}): TestRun => ({
  nodes: [
    ['Server', 'mcp', { type: `${TYPE}mcpTrigger`, typeVersion: 2.1, parameters: { path: 'p' } }],
    ['Sum', 'sum', { type: `${TYPE}toolCalculator`, typeVersion: 1, parameters: {} }],
    [
      'Keep',
      'set',
      {
        type: 'n8n-nodes-base.cryptoTool',
        typeVersion: 1,
        parameters: {
          action: 'hash',
          type: 'SHA256',
          value: '={{ $fromAI("city", "The city", "string") }} of {{ $json.headers?.["user-agent"] }}',
        },
      },
    ],
  ],
  links: ['Sum>Server@ai_tool', 'Keep>Server@ai_tool'],
  start: 'Server',
  kinds: KIND_TABLE,
  registry: NODE_REGISTRY,
  executors: {},
  mode: 'webhook',
  input,
  ...over,
});

/** Runs the server once, and gives what its caller got. */
const ask = async (input: readonly JsonObject[], run = runTest) => {
  const responses: HttpResponse[] = [];
  const result = await run({
    ...testOf(input),
    respond: async (response) => responses.push(response) > 0,
  });
  const [response] = responses;
  const answer: unknown = response === undefined ? jsonOf(result, 'Server')?.[0] : JSON.parse(String(response.body));
  if (!isJsonObject(answer)) throw new Error(JSON.stringify(result.outcome));
  return { result, answer, wasStored: response !== undefined };
};

const LIST = [{}, { mcpListTools: true }];
const callOf = (toolName: string, args: JsonObject, seen: JsonObject = {}): readonly JsonObject[] => [
  seen,
  { mcpToolCall: { toolName, arguments: args } },
];

describe('the MCP server trigger', () => {
  it('lists the functions of its tools, and calls none', async () => {
    const { result, answer } = await ask(LIST);
    expect(answer).toEqual({
      tools: [
        {
          name: 'Sum',
          description: expect.any(String),
          inputSchema: expect.objectContaining({ type: 'object', required: ['input'] }),
        },
        {
          name: 'Keep',
          description: expect.any(String),
          inputSchema: expect.objectContaining({ properties: { city: { type: 'string', description: 'The city' } } }),
        },
      ],
    });
    expect([...result.records.keys()]).toEqual(['Server']);
  });

  it('runs the one tool that is called, and responds with its result when the run ends', async () => {
    const { result, answer, wasStored } = await ask(callOf('Sum', { input: '2+3' }));
    expect(answer).toEqual({ text: '5', isError: false });
    expect(wasStored).toBe(false);
    expect([result.outcome.kind, [...result.records.keys()]]).toEqual(['success', ['Sum', 'Server']]);
  });

  it('responds in the same way if the run moves between the steps', async () => {
    const { answer } = await ask(callOf('Sum', { input: '2+3' }), runInPieces);
    expect(answer).toEqual({ text: '5', isError: false });
  });

  it('gives tools the request', async () => {
    const { answer } = await ask(callOf('Keep', { city: 'Bern' }, { headers: { 'user-agent': 'me' } }));
    const hash = createHash('sha256').update('Bern of me').digest('hex');
    expect(answer).toEqual({
      text: `[{"headers":{"user-agent":"me"},"city":"Bern","data":"${hash}"}]`,
      isError: false,
    });
  });

  it('tells its caller about a failed tool, and fails', async () => {
    const { result, answer } = await ask(callOf('Sum', { input: '2+' }));
    expect(answer).toEqual({ text: expect.stringMatching(/^The tool failed: /), isError: true });
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringMatching(/^The tool "Sum" failed: /) },
    });
  });

  it('refuses arguments that do not match the schema before a tool runs', async () => {
    const { result, answer } = await ask(callOf('Keep', { city: { name: 'Bern' } }));
    expect(answer).toEqual({ text: expect.stringContaining('"city" must be string'), isError: true });
    expect(result.records.has('Keep')).toBe(false);
  });

  it('names a tool that it does not have', async () => {
    expect((await ask(callOf('Whisper', {}))).answer).toEqual({ unknownTool: 'Whisper' });
    expect((await ask(callOf('constructor', {}))).answer).toEqual({ unknownTool: 'constructor' });
  });

  it('does nothing if it is started in another way', async () => {
    const result = await runTest(testOf([{ a: 1 }], { mode: 'manual' }));
    expect([result.outcome.kind, jsonOf(result, 'Server')]).toEqual(['success', [{ a: 1 }]]);
  });

  it('refuses a list that is too large to send', async () => {
    const { nodes, links = [] } = testOf(LIST);
    const names = Array.from({ length: 70 }, (_, at) => `Tool ${at}`);
    const parameters = { descriptionType: 'manual', toolDescription: 'x'.repeat(15_000) };
    const many = names.map((name) => [name, 'hash', { type: 'n8n-nodes-base.cryptoTool', parameters }] as const);
    const result = await runTest(
      testOf(LIST, { nodes: [...nodes, ...many], links: [...links, ...names.map((name) => `${name}>Server@ai_tool`)] }),
    );
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { description: expect.stringContaining('At most 1000000 bytes') },
    });
  });
});
