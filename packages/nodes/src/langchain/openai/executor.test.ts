import { type NodeExecutor, NodeFailure } from '@weft/engine';
import { jsonOf, runInPieces, runTest, type TestRun } from '@weft/engine/testing';
import { type ScriptStep, TEST_KEY } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../descriptors/kinds';
import { NODE_REGISTRY } from '../../executors';
import { type ModelWorld, openModelWorld } from '../models/testing/run-model';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

/** A tool with one function of its name. */
const tool: Omit<NodeExecutor, 'kind'> = {
  actsOutside: true,
  supplies: {
    ai_tool: ({ node }) => ({
      functions: [
        {
          name: node.name,
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      ],
    }),
  },
  run: ({ items: [item] }) => {
    if (item?.json['city'] === 'Atlantis') throw new NodeFailure('No such city');
    return { kind: 'items', outputs: [[{ json: { weather: `${String(item?.json['city'])}: sunny` } }]] };
  },
};

interface Given {
  readonly version?: number;
  readonly parameters?: JsonObject;
  readonly node?: JsonObject;
  readonly items?: readonly JsonObject[];
  readonly settings?: JsonObject;
  readonly credential?: JsonObject;
}

const prompts = { values: [{ content: '=Say {{ $json.n }}' }] };

const testOf = (steps: readonly ScriptStep[], given: Given = {}): TestRun => {
  world.server.play(...steps);
  world.server.seen.splice(0);
  const { version = 1.8, parameters = {}, items = [{ n: 1 }] } = given;
  return {
    nodes: [
      ['Start', 'start'],
      [
        'Ask',
        'ask',
        {
          type: '@n8n/n8n-nodes-langchain.openAi',
          typeVersion: version,
          parameters: { modelId: { value: 'gpt-5.2' }, messages: prompts, responses: prompts, ...parameters },
          credentials: { openAiApi: { id: 'c', name: 'c' } },
          ...given.node,
        },
      ],
      ['weather', 'tool'],
    ],
    links: ['Start>Ask', 'weather>Ask@ai_tool'],
    input: items,
    kinds: KIND_TABLE,
    executors: {
      ...Object.fromEntries(NODE_REGISTRY),
      start: ({ items: all }) => ({
        kind: 'items',
        outputs: [all.map(({ json }, item) => ({ json, pairedItem: { item } }))],
      }),
      tool,
    },
    credential: given.credential ?? { apiKey: TEST_KEY, url: `${world.server.url}/v1` },
    streams: world.http,
    definition: { settings: given.settings ?? {} },
  };
};
const run = (steps: readonly ScriptStep[], given?: Given) => runTest(testOf(steps, given));

const call = (city: string, id = 'c1'): ScriptStep => ({
  answer: { toolCalls: [{ id, name: 'weather', input: { city } }], usage: { input: 10, output: 5 } },
});
const say = (text: string): ScriptStep => ({ answer: { text, usage: { input: 7, output: 3 } } });
const errorOf = (outcome: Awaited<ReturnType<typeof run>>['outcome']) =>
  outcome.kind === 'error' ? outcome.error.message : outcome.kind;

describe.each([1.8, 2.3])('the OpenAI node %s', (version) => {
  it('calls the attached tools until the model answers', async () => {
    const result = await run([call('Rome'), call('Oslo', 'c2'), say('Sunny')], { version });
    expect(JSON.stringify(jsonOf(result, 'Ask'))).toContain('"Sunny"');
    expect(world.server.seen).toHaveLength(3);
    expect(JSON.stringify(world.server.last().body)).toContain('Oslo: sunny');
    expect(result.records.get('weather')).toHaveLength(2);
    expect(result.records.get('Ask')?.[0]?.metadata?.['tokenUsage']).toEqual({ inputTokens: 27, outputTokens: 13 });
  });

  it('gives the same records if the run moves to another process after each step', async () => {
    const steps = [call('Rome'), say('Sunny')];
    const whole = await run(steps, { version });
    const pieces = await runInPieces(testOf(steps, { version }));
    expect(jsonOf(pieces, 'Ask')).toEqual(jsonOf(whole, 'Ask'));
    expect(world.server.seen).toHaveLength(2);
  });

  it('tells the model of a tool that fails', async () => {
    const result = await run([call('Atlantis'), say('Unknown')], { version });
    expect(result.outcome.kind).toBe('success');
    expect(JSON.stringify(world.server.last().body)).toContain('No such city');
  });

  it('asks about each item, and continues after one that fails', async () => {
    const refused = { error: { status: 400, message: 'Bad words' } };
    const result = await run([say('One'), refused, say('Three')], {
      version,
      items: [{ n: 1 }, { n: 2 }, { n: 3 }],
      node: { onError: 'continueRegularOutput' },
    });
    expect(jsonOf(result, 'Ask')).toEqual([
      expect.anything(),
      { error: expect.stringContaining('Bad words') },
      expect.anything(),
    ]);
    expect(JSON.stringify(world.server.last().body)).toContain('Say 3');
  });

  it('fails a model that calls tools without end', async () => {
    const result = await run([call('Rome')], { version, parameters: { options: { maxToolsIterations: 0 } } });
    expect(errorOf(result.outcome)).toContain('still calls tools after 50 answers');
    expect(world.server.seen).toHaveLength(50);
  });

  it('stops at the limit of tokens that the workflow sets', async () => {
    const { outcome } = await run([call('Rome')], { version, settings: { models: { maxTokens: 100 } } });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: {
        message: expect.stringContaining('more than the 100 that the workflow allows'),
        description: expect.stringMatching(/with [1-9]\d* tokens/),
      },
    });
  });

  it.each([
    ['not-json', 'not valid JSON'],
    ['endless', '10000000'],
    ['many-calls', '128'],
    ['redirect', '169.254.169.254'],
  ] as const)('reports a response that is %s', async (hostile, part) => {
    const { outcome } = await run([{ hostile }], { version });
    expect(errorOf(outcome).replaceAll(',', '')).toContain(part);
  });

  it('stores its key in no record, even if the service repeats it', async () => {
    const echoing = await run([say(`Your key is ${TEST_KEY}`)], { version, parameters: { simplify: false } });
    const failing = await run([{ error: { status: 401, message: `Incorrect key ${TEST_KEY}` } }], { version });
    expect(JSON.stringify([[...echoing.records], [...failing.records], failing.outcome])).not.toContain(TEST_KEY);
    expect(echoing.outcome.kind).toBe('success');
  });

  it('gives no tool its key, even if the service asks for it', async () => {
    const { records } = await run([call(TEST_KEY), say('Done.')], { version });
    expect(records.get('weather')?.[0]?.inputOverride).toEqual({ ai_tool: [[{ json: { city: '***' } }]] });
    expect(JSON.stringify(world.server.seen.map(({ body }) => body))).not.toContain(TEST_KEY);
  });
});

describe('the options of the OpenAI node', () => {
  it('become fields of a chat request', async () => {
    await run([say('1')], {
      parameters: {
        jsonOutput: true,
        options: { temperature: 0.2, topP: 0.5, maxTokens: 9, n: 2, frequency_penalty: 1, reasoning_effort: 'low' },
      },
    });
    expect(world.server.last().body).toMatchObject({
      model: 'gpt-5.2',
      temperature: 0.2,
      top_p: 0.5,
      max_tokens: 9,
      n: 2,
      frequency_penalty: 1,
      reasoning_effort: 'low',
      response_format: { type: 'json_object' },
      messages: [{ role: 'system' }, { role: 'user', content: 'Say 1' }],
    });
  });

  it('become fields of a request for a response', async () => {
    await run([say('1')], {
      version: 2,
      parameters: {
        builtInTools: { webSearch: { searchContextSize: 'low' } },
        options: {
          instructions: 'Be brief',
          maxTokens: 16,
          previousResponseId: 'r0',
          truncation: true,
          reasoning: { reasoningOptions: { effort: 'low', summary: 'none' } },
        },
      },
    });
    const { body } = world.server.last();
    expect(body).toMatchObject({
      instructions: 'Be brief',
      max_output_tokens: 16,
      previous_response_id: 'r0',
      truncation: 'auto',
      store: true,
      reasoning: { effort: 'low' },
    });
    expect(JSON.stringify(body['tools'])).toContain('web_search');
  });

  it('name files that are stored at the service', async () => {
    const values = [
      { type: 'text', content: 'Compare' },
      { type: 'image', imageType: 'fileId', fileId: 'file-1' },
      { type: 'file', fileType: 'fileId', fileId: 'file-2' },
    ];
    await run([say('1')], { version: 2, parameters: { responses: { values } } });
    expect(JSON.stringify(world.server.last().body['input'])).toContain('"file_id":"file-1"');
    expect(JSON.stringify(world.server.last().body['input'])).toContain('{"type":"input_file","file_id":"file-2"}');
  });

  it('give the answer of the last round as it is', async () => {
    const parameters = { options: { maxToolsIterations: 2 } };
    const older = await run([call('Rome')], { parameters });
    expect(JSON.stringify(jsonOf(older, 'Ask'))).toContain('tool_calls');
    expect(world.server.seen).toHaveLength(2);
    const newer = await run([call('Rome')], { parameters, version: 2 });
    expect(newer.outcome.kind).toBe('success');
    expect(world.server.seen).toHaveLength(3);
  });
});
