import type { ChatDelta, ModelFormat } from '@weft/models';
import { TEST_KEY } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundStreamRequest } from '@weft/outbound';
import { type ModelRun, type ModelWorld, openModelWorld, runModel } from './testing/run-model';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const USAGE = { input: 120, output: 45 };

/** A run with the stand-in as the service of OpenAI. */
const run = (over: Partial<ModelRun> = {}) =>
  runModel({
    kind: 'lmChatOpenAi',
    version: 1.2,
    parameters: { model: { __rl: true, mode: 'id', value: 'gpt-4o' } },
    credential: { apiKey: TEST_KEY, url: `${world.server.url}/v1` },
    streams: world.http,
    ...over,
  });

/** Each kind with a version, its parameters and its credential, the format that it speaks, and its path. */
const KINDS: readonly [string, number, JsonObject, (url: string) => JsonObject, ModelFormat, string][] = [
  ['lmChatOpenAi', 1, { model: 'gpt-4o' }, (url) => ({ url: `${url}/v1` }), 'openai-chat', '/v1/chat/completions'],
  ['lmChatOpenAi', 1.1, {}, (url) => ({ url: `${url}/v1` }), 'openai-chat', '/v1/chat/completions'],
  ['lmChatOpenAi', 1.3, {}, (url) => ({ url: `${url}/v1` }), 'openai-responses', '/v1/responses'],
  [
    'lmChatOpenAi',
    1.3,
    { responsesApiEnabled: false },
    (url) => ({ url: `${url}/v1` }),
    'openai-chat',
    '/v1/chat/completions',
  ],
  ['lmOpenAi', 1, {}, (url) => ({ url: `${url}/v1` }), 'openai-chat', '/v1/chat/completions'],
  ['lmChatOpenRouter', 1, {}, (url) => ({ url: `${url}/api/v1` }), 'openai-chat', '/api/v1/chat/completions'],
  ['lmChatDeepSeek', 1, {}, (url) => ({ url }), 'openai-chat', '/chat/completions'],
  ['lmChatXAiGrok', 1, {}, (url) => ({ url }), 'openai-chat', '/chat/completions'],
  ['lmChatVercelAiGateway', 1, {}, (url) => ({ url }), 'openai-chat', '/chat/completions'],
  [
    'lmChatAzureOpenAi',
    1,
    { model: 'my-gpt' },
    (endpoint) => ({ endpoint, apiVersion: '2025-03-01-preview' }),
    'openai-chat',
    '/openai/deployments/my-gpt/chat/completions?api-version=2025-03-01-preview',
  ],
  ['lmChatGoogleGemini', 1, {}, (host) => ({ host }), 'gemini', '/v1beta/models/gemini-2.5-flash:generateContent'],
  ['lmChatAnthropic', 1.6, {}, (url) => ({ url }), 'anthropic', '/v1/messages'],
  ['lmChatOllama', 1, {}, (baseUrl) => ({ baseUrl }), 'ollama', '/api/chat'],
  ['lmOllama', 1, {}, (baseUrl) => ({ baseUrl }), 'ollama', '/api/chat'],
];

describe.each(KINDS)('a model node of kind %s %s', (kind, version, parameters, credential, format, path) => {
  it(`with ${JSON.stringify(parameters)} calls ${path}, and is recorded as n8n records it`, async () => {
    world.server.play({ answer: { text: 'Sunny.', usage: USAGE } });
    const { results, calls, outcome } = await run({
      kind,
      version,
      parameters,
      credential: { apiKey: TEST_KEY, ...credential(world.server.url) },
    });
    expect(outcome.kind).toBe('success');
    expect(results[0]?.message.content).toBe('Sunny.');
    expect(world.server.last()).toMatchObject({ format, path });
    expect(JSON.stringify(world.server.last().headers)).toContain(TEST_KEY);
    expect(calls[0]).toMatchObject({
      executionStatus: 'success',
      source: [{ previousNode: 'Root' }],
      inputOverride: {
        ai_languageModel: [
          [{ json: { messages: ['Human: Hello'], estimatedTokens: 2, options: { model: expect.any(String) } } }],
        ],
      },
      data: {
        ai_languageModel: [
          [
            {
              json: {
                response: { generations: [[{ text: 'Sunny.', generationInfo: { finish_reason: 'stop' } }]] },
                tokenUsage: { completionTokens: 45, promptTokens: 120, totalTokens: 165 },
              },
            },
          ],
        ],
      },
    });
    expect(JSON.stringify(calls)).not.toContain(TEST_KEY);
  });
});

/** Sends requests to the service at a fixed address to the stand-in. */
const instead = (address: string, sent: OutboundStreamRequest[] = []): ModelRun['streams'] => ({
  stream: ({ allowedHosts: _allowedHosts, ...request }) => {
    sent.push({ ...request, ...(_allowedHosts === undefined ? {} : { allowedHosts: _allowedHosts }) });
    return world.http.stream({ ...request, url: request.url.replace(address, world.server.url) });
  },
});

describe('a model node of a service at one address', () => {
  it.each([
    ['lmChatGroq', 'https://api.groq.com', '/openai/v1/chat/completions'],
    ['lmChatMistralCloud', 'https://api.mistral.ai', '/v1/chat/completions'],
  ])('of kind %s goes to %s alone', async (kind, address, path) => {
    const sent: OutboundStreamRequest[] = [];
    world.server.play({ answer: { text: 'Yes.' } });
    const { results } = await run({
      kind,
      version: 1,
      parameters: {},
      credential: { apiKey: TEST_KEY, url: 'https://elsewhere.example' },
      streams: instead(address, sent),
    });
    expect(results[0]?.message.content).toBe('Yes.');
    expect(world.server.last().path).toBe(path);
    expect(sent[0]).toMatchObject({ url: `${address}${path}`, allowedHosts: [new URL(address).host] });
  });
});

describe('a model node', () => {
  it('reads its model and options for the item of the root', async () => {
    const { results, handle } = await run({
      parameters: {
        model: { __rl: true, mode: 'id', value: '={{ $json.model }}' },
        options: { temperature: '={{ $json.heat }}', maxTokens: 50 },
      },
      items: [
        { model: 'gpt-4o', heat: 0.1 },
        { model: 'gpt-4.1', heat: 0.9 },
      ],
    });
    expect(results).toHaveLength(2);
    expect(world.server.seen.slice(-2).map(({ body }) => [body['model'], body['temperature']])).toEqual([
      ['gpt-4o', 0.1],
      ['gpt-4.1', 0.9],
    ]);
    expect(world.server.last().body['max_tokens']).toBe(50);
    expect(handle).toEqual({ name: 'gpt-4.1', enforcesSchema: false, answersJson: false });
  });

  it.each([
    [{ responseFormat: 'json_object' }, true],
    [{ extraBody: '{"response_format":{"type":"json_object"}}' }, true],
    [{ responseFormat: 'text' }, false],
  ])('tells the root with %j whether its answers are JSON', async (options, answersJson) => {
    const { handle } = await run({ parameters: { model: 'gpt-4o', options } });
    expect(handle).toMatchObject({ answersJson });
    expect(JSON.stringify(world.server.last().body).includes('json_object')).toBe(answersJson);
  });

  it('adds the settings of the call to those of the node, and streams to the root', async () => {
    world.server.play({ answer: { text: 'One two three.', usage: USAGE } });
    const deltas: ChatDelta[] = [];
    const { results } = await run({
      parameters: { model: 'gpt-4o', options: { temperature: 0.2, topP: 0.5 } },
      call: () => ({
        messages: [{ role: 'user', content: 'Count' }],
        settings: { temperature: 0.7 },
        onDelta: (delta) => void deltas.push(delta),
      }),
    });
    expect(world.server.last()).toMatchObject({ isStreamed: true, body: { temperature: 0.7, top_p: 0.5 } });
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map((delta) => (delta.type === 'text' ? delta.text : '')).join('')).toBe('One two three.');
    expect(results[0]?.usage?.totalTokens).toBe(165);
  });

  it('records the options, tools and calls of tools, and files by their size', async () => {
    world.server.play({ answer: { toolCalls: [{ id: 'call_a', name: 'weather', input: { city: 'Paris' } }] } });
    const { calls } = await run({
      parameters: { model: 'gpt-4o', options: { temperature: 0.2, maxRetries: 0, extraBody: '{"user":"u1"}' } },
      call: () => ({
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'file', mimeType: 'image/png', data: 'A'.repeat(5_000) }] },
        ],
        tools: [{ name: 'weather', parameters: { type: 'object' } }],
      }),
    });
    const [input] = calls[0]?.inputOverride?.ai_languageModel?.[0] ?? [];
    expect(input?.json).toEqual({
      messages: ['System: Be brief.\nHuman: [file image/png, 5000 characters]'],
      estimatedTokens: expect.any(Number),
      options: {
        model: 'gpt-4o',
        temperature: 0.2,
        max_retries: 0,
        tools: ['weather'],
        model_kwargs: { user: 'u1' },
      },
    });
    const [output] = calls[0]?.data?.ai_languageModel?.[0] ?? [];
    expect(output?.json).toMatchObject({
      response: {
        generations: [
          [
            {
              text: '',
              generationInfo: { finish_reason: 'tool_calls' },
              toolCalls: [{ id: 'call_a', name: 'weather', input: { city: 'Paris' } }],
            },
          ],
        ],
      },
      tokenUsageEstimate: { promptTokens: input?.json['estimatedTokens'] },
    });
  });

  it('stores a long prompt as its start, its end and its length', async () => {
    const text = `START ${'word '.repeat(100_000)}END`;
    const { calls, outcome } = await run({ items: [{ ask: text }] });
    expect(outcome.kind).toBe('success');
    const json = calls[0]?.inputOverride?.ai_languageModel?.[0]?.[0]?.json ?? {};
    const [message] = Array.isArray(json['messages']) ? json['messages'] : [];
    expect(json['promptLength']).toBe('Human: '.length + text.length);
    expect(String(message)).toMatch(/^Human: START word[^]*characters left out[^]*word END$/);
    expect(JSON.stringify(json).length).toBeLessThan(70_000);
    expect(JSON.stringify(world.server.last().body)).toContain(JSON.stringify(text));
  });

  it('counts its calls and tokens for the limit of the workflow, before and after a call', async () => {
    const before = world.server.seen.length;
    const early = await run({ items: [{ ask: 'x'.repeat(900) }], settings: { models: { maxTokens: 200 } } });
    expect(early.outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('300 tokens') } });
    expect([world.server.seen.length, early.calls]).toEqual([before, []]);
    world.server.play({ answer: { text: 'x', usage: { input: 150, output: 100 } } });
    const late = await run({ settings: { models: { maxTokens: 200 } } });
    expect(late.outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('250 tokens') } });
    expect(late.calls).toHaveLength(1);
  });

  it('gives the root no secret that the service repeats, as a tool could send it elsewhere', async () => {
    const toolCalls = [{ id: `c ${TEST_KEY}`, name: `n ${TEST_KEY}`, input: { q: `The key is ${TEST_KEY}.` } }];
    world.server.play({ answer: { text: Buffer.from(TEST_KEY).toString('base64'), toolCalls } });
    const { results } = await run();
    expect(results[0]?.message.content).toBe('***');
    expect(results[0]?.toolCalls).toEqual([{ id: 'c ***', name: 'n ***', input: { q: 'The key is ***.' } }]);
    expect(JSON.stringify(results)).not.toContain(TEST_KEY);
  });

  it('is replaced by its pinned items, which count no tokens and call no service', async () => {
    const before = world.server.seen.length;
    const called = { id: 'c1', name: 'weather', input: { city: 'Paris' } };
    const { results, calls, records } = await run({
      items: [{}, {}, {}, {}],
      pins: [{ response: { generations: [[{ text: '', toolCalls: [called] }]] } }, { text: 'second' }, { answer: 42 }],
    });
    expect(results.map(({ message, finish }) => [message.content, finish])).toEqual([
      ['', 'toolCalls'],
      ['second', 'stop'],
      ['{"answer":42}', 'stop'],
      ['{"answer":42}', 'stop'],
    ]);
    expect(results[0]?.toolCalls).toEqual([called]);
    expect([calls.length, world.server.seen.length]).toEqual([4, before]);
    expect(records.get('Root')?.[0]?.metadata).not.toHaveProperty('tokenUsage');
  });

  it('streams its transport if the node of Anthropic says so', async () => {
    const parameters = { model: 'claude-sonnet-5', options: { streaming: true } };
    await run({
      kind: 'lmChatAnthropic',
      version: 1.6,
      parameters,
      credential: { apiKey: TEST_KEY, url: world.server.url },
    });
    expect(world.server.last().isStreamed).toBe(true);
  });
});
