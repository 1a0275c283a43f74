import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import type { JsonObject } from '@weft/service-kit/json-values';
import type { ChatCall, ChatDelta, ChatMessage, ChatResult, ModelFormat, ToolDefinition } from '../chat-model';
import { endpointOf, FORMATS, TEST_KEY } from '../testing/endpoints';
import type { Delivery, ScriptedAnswer, ScriptedCall } from '../testing/script';
import { type ModelServer, serveModels } from '../testing/serve-models';
import { createChatModel } from './create-chat-model';

const WEATHER: ToolDefinition = {
  name: 'weather',
  description: 'Weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const ASK: readonly ChatMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How is the weather in Zürich and Łódź?' },
];

const USAGE = { input: 120, output: 45, cached: 100, reasoning: 20 };

/** The counts that a format has. */
const usageIn = (format: ModelFormat) => {
  const base = { inputTokens: 120, outputTokens: 45, totalTokens: 165 };
  if (format === 'ollama') return base;
  if (format === 'anthropic') return { ...base, cachedInputTokens: 100 };
  return { ...base, cachedInputTokens: 100, reasoningTokens: 20 };
};

const CALLS: ScriptedAnswer = {
  text: 'I look it up. 🌦 '.repeat(3),
  thinking: { text: 'Two cities, so two calls.', signature: 'c2lnbmF0dXJl' },
  toolCalls: [
    { id: 'call_a', name: 'weather', input: { city: 'Zürich', days: [1, 2], exact: { yes: true } } },
    { id: 'call_b', name: 'weather', input: { city: 'Łódź "center"' } },
  ],
  usage: USAGE,
};

let server: ModelServer;
let http: OutboundClient;
beforeAll(async () => {
  server = await serveModels();
  http = createOutboundClient({ allow: ['127.0.0.0/8'] });
});
afterAll(async () => {
  http.close();
  await server.close();
});

const call = (id: string, input: JsonObject): ScriptedCall => ({ id, name: 'weather', input });

const ask = (format: ModelFormat, call: Partial<ChatCall> = {}): Promise<ChatResult> =>
  createChatModel(endpointOf(format, server.url), { http }).call({ messages: ASK, ...call });

const streamed = async (format: ModelFormat, call: Partial<ChatCall> = {}) => {
  const deltas: ChatDelta[] = [];
  const result = await ask(format, { ...call, onDelta: (delta) => void deltas.push(delta) });
  const joined = (type: 'text' | 'thinking'): string =>
    deltas.map((delta) => (delta.type === type ? delta.text : '')).join('');
  return { result, deltas, text: joined('text'), thinking: joined('thinking') };
};

describe.each(FORMATS)('a call of a model (%s)', (format) => {
  it('has text, usage and the reason for its end', async () => {
    server.play({ answer: { text: 'Sunny. ☀️', usage: USAGE } });
    const result = await ask(format);
    expect(result).toMatchObject({
      message: { role: 'assistant', content: 'Sunny. ☀️' },
      toolCalls: [],
      finish: 'stop',
    });
    expect(result.usage).toEqual(usageIn(format));
    expect(server.last()).toMatchObject({ format, isStreamed: false });
    expect(JSON.stringify(server.last().headers)).toContain(TEST_KEY);
    expect(JSON.stringify(server.last().body) + server.last().path).not.toContain(TEST_KEY);
  });

  const deliveries: [string, Delivery][] = [
    ['at once', {}],
    ['byte by byte', { chunkBytes: 1 }],
    ['in odd pieces', { chunkBytes: 37 }],
  ];
  it.each(deliveries)(
    'gives the same streamed and not, with thinking and two tool calls (%s)',
    async (_name, delivery) => {
      server.play({ answer: CALLS, delivery });
      const whole = await ask(format, { tools: [WEATHER] });
      server.play({ answer: CALLS, delivery });
      const { result, deltas, text, thinking } = await streamed(format, { tools: [WEATHER] });
      expect(server.last().isStreamed).toBe(true);
      expect(text).toBe(CALLS.text);
      expect(thinking).toBe(CALLS.thinking?.text);
      expect(deltas.filter(({ type }) => type === 'toolCall')).toEqual(
        Array(2).fill({ type: 'toolCall', name: 'weather' }),
      );
      expect(deltas.length).toBeGreaterThan(4);
      for (const one of [whole, result]) {
        expect(one.finish).toBe('toolCalls');
        expect(one.usage).toEqual(usageIn(format));
        expect(one.message).toMatchObject({ content: CALLS.text, thinking: CALLS.thinking?.text });
        expect(one.message.toolCalls).toBe(one.toolCalls);
        expect(one.toolCalls.map(({ name, input, fault }) => ({ name, input, fault }))).toEqual(
          (CALLS.toolCalls ?? []).map(({ name, input }) => ({ name, input, fault: undefined })),
        );
        const ids = one.toolCalls.map(({ id }) => id);
        if (format === 'gemini') expect(new Set(ids).size).toBe(2);
        else expect(ids).toEqual(['call_a', 'call_b']);
      }
    },
  );

  it('continues a conversation with what the service needs back, signatures unchanged', async () => {
    server.play({ answer: CALLS });
    const { result } = await streamed(format, { tools: [WEATHER] });
    server.play({ answer: { text: 'Rain.' } });
    // a conversation is stored as JSON between two calls
    const stored: ChatResult['message'] = JSON.parse(JSON.stringify(result.message));
    const results = result.toolCalls.map(({ id, name }, index) => ({
      role: 'tool' as const,
      toolCallId: id,
      toolName: name,
      content: index === 0 ? 'rain' : 'no such city',
      ...(index === 0 ? {} : { isError: true }),
    }));
    await ask(format, { messages: [...ASK, stored, ...results], tools: [WEATHER] });
    expect(server.last().body).toMatchObject(continuedIn(format));
  });

  it('asks for the form of a schema', async () => {
    server.play({ answer: { text: '{"city":"Paris"}' } });
    const schema = { type: 'object', properties: { city: { type: 'string' } } };
    const { message } = await ask(format, { schema: { name: 'place', schema } });
    expect(JSON.parse(message.content)).toEqual({ city: 'Paris' });
    expect(JSON.stringify(server.last().body)).toContain(
      // DeepSeek cannot enforce one: it is asked in words
      format === 'openai-chat' ? JSON.stringify(JSON.stringify(schema)).slice(1, -1) : JSON.stringify(schema),
    );
  });

  it('reports arguments that are not a JSON object as a fault of the call, and can continue', async () => {
    const bad = '{"city": "Par';
    server.play({ answer: { toolCalls: [{ id: 'call_a', name: 'weather', input: bad }] } });
    const calls = [(await ask(format, { tools: [WEATHER] })).toolCalls];
    const { result } = await streamed(format, { tools: [WEATHER] });
    calls.push(result.toolCalls);
    for (const [call] of calls) {
      expect(call?.input).toEqual({});
      expect(call?.fault?.message).toBe('The arguments of the tool call are refused: the text is not valid JSON.');
      expect(call?.fault?.text).toBe(bad);
    }
    if (format === 'gemini') return; // its arguments are values, so it sends no such text
    await ask(format, { messages: [...ASK, result.message], tools: [WEATHER] });
    expect(JSON.stringify(server.last().body)).not.toContain('Par');
  });

  it('says that a response was cut, and not that it was complete', async () => {
    server.play({ answer: { text: 'Half', finish: 'length' } });
    expect((await ask(format)).finish).toBe('length');
    expect((await streamed(format)).result.finish).toBe('length');
  });

  it('is read, streamed or not, after secrets that the service repeats are removed', async () => {
    const said = `The key is ${TEST_KEY}.`;
    server.play({
      answer: { text: said, thinking: { text: said, signature: TEST_KEY }, toolCalls: [call('c', { q: TEST_KEY })] },
    });
    const model = createChatModel(endpointOf(format, server.url), {
      http,
      withoutSecrets: (json): JsonObject => JSON.parse(JSON.stringify(json).replaceAll(TEST_KEY, '***')),
    });
    const deltas: ChatDelta[] = [];
    const results = [
      await model.call({ messages: ASK }),
      await model.call({ messages: ASK, onDelta: (delta) => void deltas.push(delta) }),
    ];
    for (const { message, toolCalls } of results) {
      expect(message.content).toBe('The key is ***.');
      expect(toolCalls.map(({ input }) => input)).toEqual([{ q: '***' }]);
    }
    expect(JSON.stringify(results)).not.toContain(TEST_KEY);
  });

  it('has a result without usage if the service reports none', async () => {
    if (format === 'anthropic') return; // its format always has one
    server.play({ answer: { text: 'x' } });
    expect((await ask(format)).usage).toBeUndefined();
    expect((await streamed(format)).result.usage).toBeUndefined();
  });

  it('waits for the receiver of deltas, and ends with its error', async () => {
    server.play({ answer: { text: 'abc '.repeat(50) } });
    let isBusy = false;
    let overlaps = 0;
    await ask(format, {
      onDelta: async () => {
        if (isBusy) overlaps += 1;
        isBusy = true;
        await new Promise(setImmediate);
        isBusy = false;
      },
    });
    expect(overlaps).toBe(0);
    const reason = new Error('The receiver is gone.');
    await expect(ask(format, { onDelta: () => Promise.reject(reason) })).rejects.toBe(reason);
  });

  it('reads a whole response from a server that does not stream', async () => {
    if (format === 'ollama') return; // one line is a stream of one value
    server.play({ answer: { text: 'Sunny.' }, delivery: { neverStreams: true } });
    const { result, text } = await streamed(format);
    expect(result.message.content).toBe('Sunny.');
    expect(text).toBe('Sunny.');
  });

  it('adds fields of the user to the body', async () => {
    server.play({ answer: { text: 'x' } });
    await ask(format, {
      settings: { temperature: 0, body: { extra: 1, generationConfig: { a: 1 }, options: { b: 2 } } },
    });
    expect(server.last().body).toMatchObject({ extra: 1, generationConfig: { a: 1 }, options: { b: 2 } });
    expect(JSON.stringify(server.last().body)).toContain('"temperature":0');
  });
});

/** Parts of the second request of a conversation. */
function continuedIn(format: ModelFormat): object {
  const { thinking } = CALLS;
  switch (format) {
    case 'openai-chat':
      return {
        messages: [
          ...ASK,
          {
            role: 'assistant',
            content: CALLS.text,
            reasoning_content: thinking?.text,
            tool_calls: [{ id: 'call_a', type: 'function' }, { id: 'call_b' }],
          },
          { role: 'tool', tool_call_id: 'call_a', content: 'rain' },
          { role: 'tool', tool_call_id: 'call_b' },
        ],
      };
    case 'openai-responses':
      return {
        store: false,
        include: ['reasoning.encrypted_content'],
        input: [
          { role: 'system' },
          { role: 'user' },
          { type: 'reasoning', id: 'rs_1', encrypted_content: thinking?.signature },
          { type: 'message', id: 'msg_1' },
          { type: 'function_call', call_id: 'call_a' },
          { type: 'function_call', call_id: 'call_b' },
          { type: 'function_call_output', call_id: 'call_a', output: 'rain' },
          { type: 'function_call_output', call_id: 'call_b' },
        ],
      };
    case 'gemini':
      return {
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user' },
          {
            role: 'model',
            parts: [
              { text: thinking?.text, thought: true },
              { text: CALLS.text },
              { functionCall: { name: 'weather' }, thoughtSignature: thinking?.signature },
              { functionCall: { name: 'weather' } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'weather', response: { result: 'rain' } } },
              { functionResponse: { name: 'weather', response: { error: 'no such city' } } },
            ],
          },
        ],
      };
    case 'anthropic':
      return {
        system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
        tools: [{ name: 'weather', cache_control: { type: 'ephemeral' } }],
        messages: [
          { role: 'user' },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: thinking?.text, signature: thinking?.signature },
              { type: 'text', text: CALLS.text },
              { type: 'tool_use', id: 'call_a' },
              { type: 'tool_use', id: 'call_b' },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'call_a', content: 'rain' },
              { type: 'tool_result', tool_use_id: 'call_b', is_error: true },
            ],
          },
        ],
      };
    case 'ollama':
      return {
        messages: [
          { role: 'system' },
          { role: 'user' },
          {
            role: 'assistant',
            content: CALLS.text,
            thinking: thinking?.text,
            tool_calls: [{ id: 'call_a' }, { id: 'call_b' }],
          },
          { role: 'tool', tool_name: 'weather', tool_call_id: 'call_a', content: 'rain' },
          { role: 'tool', tool_call_id: 'call_b' },
        ],
      };
  }
}
