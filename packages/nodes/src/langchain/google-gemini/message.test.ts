import type { NodeExecutor } from '@weft/engine';
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

const tool: Omit<NodeExecutor, 'kind'> = {
  actsOutside: true,
  supplies: {
    ai_tool: ({ node }) => ({
      functions: [{ name: node.name, parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
    }),
  },
  run: ({ items: [item] }) => ({
    kind: 'items',
    outputs: [[{ json: { weather: `${String(item?.json['city'])}: sunny` } }]],
  }),
};

const testOf = (steps: readonly ScriptStep[], parameters: JsonObject, version = 1.2): TestRun => {
  world.server.play(...steps);
  world.server.seen.splice(0);
  return {
    nodes: [
      ['Start', 'start'],
      [
        'Ask',
        'ask',
        {
          type: '@n8n/n8n-nodes-langchain.googleGemini',
          typeVersion: version,
          parameters: {
            modelId: { value: 'models/gemini-2.5-flash' },
            messages: { values: [{ content: '=Say {{ $json.n }}' }] },
            ...parameters,
          },
          credentials: { googlePalmApi: { id: 'c', name: 'c' } },
        },
      ],
      ['weather', 'tool'],
    ],
    links: ['Start>Ask', 'weather>Ask@ai_tool'],
    input: [{ n: 1 }],
    kinds: KIND_TABLE,
    executors: {
      ...Object.fromEntries(NODE_REGISTRY),
      start: ({ items }) => ({
        kind: 'items',
        outputs: [items.map(({ json }, item) => ({ json, pairedItem: { item } }))],
      }),
      tool,
    },
    credential: { apiKey: TEST_KEY, host: world.server.url },
    streams: world.http,
    definition: { settings: {} },
  };
};
const call = (city: string): ScriptStep => ({
  answer: { toolCalls: [{ id: 'c1', name: 'weather', input: { city } }], usage: { input: 10, output: 5 } },
});
const say = (text: string): ScriptStep => ({ answer: { text, usage: { input: 7, output: 3 } } });

describe('the Gemini node', () => {
  it('calls the attached tools until the model answers', async () => {
    const result = await runTest(testOf([call('Rome'), call('Oslo'), say('Sunny')], {}));
    expect(JSON.stringify(jsonOf(result, 'Ask'))).toContain('"Sunny"');
    expect(JSON.stringify(world.server.last().body)).toContain('Oslo: sunny');
    expect(result.records.get('weather')).toHaveLength(2);
    expect(result.records.get('Ask')?.[0]?.metadata?.['tokenUsage']).toEqual({ inputTokens: 27, outputTokens: 13 });
  });

  it('gives the same items if the run moves to another process after each step', async () => {
    const steps = [call('Rome'), say('Sunny')];
    const whole = await runTest(testOf(steps, {}));
    const pieces = await runInPieces(testOf(steps, {}));
    expect(jsonOf(pieces, 'Ask')).toEqual(jsonOf(whole, 'Ask'));
    expect(world.server.seen).toHaveLength(2);
  });

  it('gives the last answer as it is once the rounds of tools are used up', async () => {
    const result = await runTest(testOf([call('Rome'), call('Oslo')], { options: { maxToolsIterations: 2 } }));
    expect(JSON.stringify(jsonOf(result, 'Ask'))).toContain('functionCall');
    expect(world.server.seen).toHaveLength(2);
  });

  it('sends its options, and built-in tools next to attached ones', async () => {
    const options = {
      systemMessage: 'Be brief',
      maxOutputTokens: 50,
      candidateCount: 2,
      temperature: 0,
      topK: 3,
      thinkingBudget: 0,
    };
    const builtInTools = {
      googleSearch: true,
      googleMaps: { latitude: 52.5, longitude: '13.4' },
      urlContext: false,
      fileSearch: { fileSearchStoreNames: '["fileSearchStores/a"]', metadataFilter: 'a="b"' },
      codeExecution: true,
    };
    await runTest(testOf([say('Hi')], { jsonOutput: true, options, builtInTools }));
    expect(world.server.last().body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Say 1' }] }],
      systemInstruction: { parts: [{ text: 'Be brief' }] },
      tools: [
        { functionDeclarations: [expect.objectContaining({ name: 'weather' })] },
        { googleSearch: {} },
        { googleMaps: {} },
        { fileSearch: { fileSearchStoreNames: ['fileSearchStores/a'], metadataFilter: 'a="b"' } },
        { codeExecution: {} },
      ],
      toolConfig: { retrievalConfig: { latLng: { latitude: 52.5, longitude: 13.4 } } },
      generationConfig: {
        maxOutputTokens: 50,
        candidateCount: 2,
        temperature: 0,
        topK: 3,
        responseMimeType: 'application/json',
        thinkingConfig: { thinkingBudget: 0 },
      },
    });
  });

  it('offers only code as a built-in tool in version 1', async () => {
    const parameters = { options: { codeExecution: true }, builtInTools: { googleSearch: true } };
    await runTest(testOf([say('Hi')], parameters, 1));
    expect(world.server.last().body).toMatchObject({
      tools: [{ functionDeclarations: [{}] }, { codeExecution: {} }],
    });
  });

  it('keeps the order and the roles of messages, without empty ones', async () => {
    const values = [
      { content: 'One' },
      { content: 'Two', role: 'model' },
      { content: ' ' },
      { content: 'Three', role: 'user' },
    ];
    await runTest(testOf([say('Hi')], { messages: { values } }));
    expect(world.server.last().body).toMatchObject({
      contents: [
        { role: 'user', parts: [{ text: 'One' }] },
        { role: 'model', parts: [{ text: 'Two' }] },
        { role: 'user', parts: [{ text: 'Three' }] },
      ],
    });
  });

  it.each(['{', '"a"', '[1]'])('refuses %s as the names of file stores', async (fileSearchStoreNames) => {
    const { outcome } = await runTest(testOf([], { builtInTools: { fileSearch: { fileSearchStoreNames } } }));
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The names of file stores must be a JSON list of strings' },
    });
    expect(world.server.seen).toHaveLength(0);
  });
});
