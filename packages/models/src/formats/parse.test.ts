import type { JsonObject } from '@weft/service-kit/json-values';
import { ModelError } from '../model-error';
import { anthropic } from './anthropic/codec';
import type { Codec } from './codec';
import { gemini } from './gemini/codec';
import { openAiChat } from './openai-chat/codec';
import type { Vendor } from './openai-chat/vendors';
import { openAiResponses } from './openai-responses/codec';

const read = (codec: Codec, body: JsonObject, vendor: Vendor = 'openai') =>
  codec.parse(body, { format: codec.format, baseUrl: 'http://x', model: 'm', vendor });

const readEvents = (codec: Codec, events: readonly JsonObject[], vendor: Vendor = 'openai') => {
  const assembly = codec.assemble();
  const deltas = events.flatMap((event) => [...assembly.push(event)]);
  const body = assembly.body();
  return { deltas, body, result: body === undefined ? undefined : read(codec, body, vendor) };
};

const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const choice = (message: JsonObject, finish = 'stop'): JsonObject => ({
  choices: [{ index: 0, message, finish_reason: finish }],
});

describe('responses in openai-chat', () => {
  it('of Mistral have thinking and text as parts', () => {
    const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
    const content = [thinking('Well. '), { type: 'text', text: 'Yes.' }];
    expect(read(openAiChat, choice({ content }))).toMatchObject({ message: { content: 'Yes.', thinking: 'Well. ' } });
    const { deltas, result } = readEvents(openAiChat, [
      delta({ content: [thinking('We')] }),
      delta({ content: [thinking('ll. ')] }),
      delta({ content: 'Yes.' }, 'stop'),
    ]);
    expect(deltas.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'text']);
    expect(result?.message).toMatchObject({ content: 'Yes.', thinking: 'Well. ' });
  });

  it('of Mistral have thinking whose pieces have no type, streamed and not', () => {
    const untyped = [
      { type: 'thinking', thinking: [{ text: 'Hm. ' }] },
      { type: 'text', text: 'Yes.' },
    ];
    expect(read(openAiChat, choice({ content: untyped })).message).toMatchObject({ content: 'Yes.', thinking: 'Hm. ' });
    const { deltas, result } = readEvents(openAiChat, [delta({ content: untyped }, 'stop')]);
    expect(deltas).toEqual([
      { type: 'thinking', text: 'Hm. ' },
      { type: 'text', text: 'Yes.' },
    ]);
    expect(result?.message).toMatchObject({ content: 'Yes.', thinking: 'Hm. ' });
  });

  it('of OpenRouter have details of reasoning, put together and kept to be sent back', () => {
    const { deltas, result } = readEvents(
      openAiChat,
      [
        delta({ reasoning: 'A', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'A' }] }),
        delta({ reasoning: 'B', reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'B', signature: 's' }] }),
        delta({ content: 'C' }, 'stop'),
      ],
      'openrouter',
    );
    expect(deltas).toHaveLength(3);
    expect(result?.message).toEqual({
      role: 'assistant',
      content: 'C',
      thinking: 'AB',
      native: {
        format: 'openai-chat',
        content: { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'AB', signature: 's' }] },
      },
    });
  });

  it.each([
    ['below zero', { prompt_tokens: -1e12, completion_tokens: -5, total_tokens: -9 }, undefined],
    ['with a total below the sum', { prompt_tokens: 30, completion_tokens: 4, total_tokens: 0 }, [30, 4, 34]],
    ['that are fractions', { prompt_tokens: 2.4, completion_tokens: 1 }, [2, 1, 3]],
    ['that no call uses', { prompt_tokens: 1e300, completion_tokens: 1 }, [1e12, 1, 1e12 + 1]],
    ['of one direction only', { prompt_tokens: -1, completion_tokens: 7 }, [0, 7, 7]],
  ])('have counts of tokens %s that extend no limit', (_what, usage, expected) => {
    const found = read(openAiChat, { ...choice({ content: 'x' }), usage }).usage;
    expect(found && [found.inputTokens, found.outputTokens, found.totalTokens]).toEqual(expected);
  });

  it('of Groq and DeepSeek have usage under other names', () => {
    const { result } = readEvents(openAiChat, [
      delta({ content: 'x' }, 'stop'),
      { choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } } },
    ]);
    expect(result?.usage).toEqual({ inputTokens: 3, outputTokens: 4, totalTokens: 7 });
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7, prompt_cache_hit_tokens: 2 };
    expect(read(openAiChat, { ...choice({ content: 'x' }), usage }).usage?.cachedInputTokens).toBe(2);
  });

  it('of older servers have one function call, calls without ids or indexes, and arguments as objects', () => {
    const old = { content: null, function_call: { name: 'f', arguments: '{"a":1}' } };
    expect(read(openAiChat, choice(old, 'function_call'))).toMatchObject({
      finish: 'toolCalls',
      toolCalls: [{ name: 'f', input: { a: 1 } }],
    });
    const { result } = readEvents(openAiChat, [
      delta({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"x":' } }] }),
      delta({ tool_calls: [{ function: { arguments: '1}' } }] }),
      delta({ tool_calls: [{ id: 'b', function: { name: 'g', arguments: { y: 2 } } }] }, 'stop'),
    ]);
    expect(result).toMatchObject({
      finish: 'toolCalls',
      toolCalls: [
        { id: 'a', name: 'f', input: { x: 1 } },
        { id: 'b', name: 'g', input: { y: 2 } },
      ],
    });
    const { toolCalls } = read(openAiChat, choice({ tool_calls: [{ function: { name: 'f' } }] }));
    expect(toolCalls).toEqual([{ id: expect.stringMatching(/^weft_call_[-0-9a-f]{36}$/), name: 'f', input: {} }]);
  });

  it('have additions of calls, which are sent back with their call', () => {
    const extra = { google: { thought_signature: 'c2ln' } };
    const begin = { index: 0, id: 'a', function: { name: 'f', arguments: '' }, extra_content: extra };
    const { result } = readEvents(openAiChat, [
      delta({ tool_calls: [begin] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, 'stop'),
    ]);
    const message = result?.message;
    if (message === undefined) throw new Error('The response is not complete.');
    const endpoint = { format: 'openai-chat', baseUrl: 'http://x', model: 'm' } as const;
    expect(openAiChat.build({ messages: [message] }, endpoint).body).toMatchObject({
      messages: [{ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' }, extra_content: extra }] }],
    });
  });

  it('have an unknown reason for the end as `other`, also one that every object has', () => {
    for (const word of ['constructor', 'toString', 'new_reason', ''])
      expect(read(openAiChat, choice({ content: 'x' }, word)).finish).toBe('other');
  });

  it('without choices, or with a call without a name, are refused with their start', () => {
    expect(() => read(openAiChat, { choices: [] })).toThrow(
      'The response of the service has no choice with a message (openai-chat). It begins: {"choices":[]}',
    );
    expect(() => read(openAiChat, choice({ tool_calls: [{ function: {} }] }))).toThrow('without a valid name');
  });

  it('have other choices than the first left out', () => {
    const second = { choices: [{ index: 1, delta: { content: 'no' }, finish_reason: 'stop' }] };
    expect(readEvents(openAiChat, [delta({ content: 'yes' }, 'stop'), second]).result?.message.content).toBe('yes');
  });
});

describe('responses in openai-responses', () => {
  it('that failed are refused with the reason', () => {
    const failed = { status: 'failed', output: [], error: { code: 'server_error', message: 'Sorry' } };
    expect(() => read(openAiResponses, failed)).toThrow(ModelError);
    expect(() => read(openAiResponses, failed)).toThrow('could not complete the response (server_error): Sorry');
    expect(() => read(openAiResponses, {})).toThrow('no list "output"');
  });

  it('keep items that are not known, such as web searches', () => {
    const items = [
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'message', content: [{ type: 'output_text', text: 'Found.', annotations: [{ type: 'url_citation' }] }] },
    ];
    const { message } = read(openAiResponses, { status: 'completed', output: items });
    expect(message).toEqual({
      role: 'assistant',
      content: 'Found.',
      native: { format: 'openai-responses', content: items },
    });
  });
});

describe('responses in gemini', () => {
  const part = (fields: JsonObject, finishReason?: string): JsonObject => ({
    candidates: [{ content: { parts: [fields] }, ...(finishReason === undefined ? {} : { finishReason }) }],
  });

  it('keep each signature on its part', () => {
    const { result } = readEvents(gemini, [
      part({ text: 'a' }),
      part({ text: 'b' }),
      part({ text: 'c', thoughtSignature: 's1' }),
      part({ text: 'd' }),
      part({ text: '', thoughtSignature: 's2' }, 'STOP'),
    ]);
    expect(result?.message).toMatchObject({
      content: 'abcd',
      native: {
        content: [
          { text: 'ab' },
          { text: 'c', thoughtSignature: 's1' },
          { text: 'd' },
          { text: '', thoughtSignature: 's2' },
        ],
      },
    });
  });

  it('have an unknown reason for the end as `other`', () => {
    expect(read(gemini, part({ text: 'x' }, 'constructor')).finish).toBe('other');
  });

  it('have ids of calls where the service sends them', () => {
    const called = part({ functionCall: { id: 'own', name: 'f', args: {} } }, 'STOP');
    expect(read(gemini, called)).toMatchObject({ finish: 'toolCalls', toolCalls: [{ id: 'own' }] });
  });

  it('with a call that the service could not read, or nothing, are refused', () => {
    const broken = { candidates: [{ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: 'print(f(' }] };
    expect(() => read(gemini, broken)).toThrow('could not read (MALFORMED_FUNCTION_CALL). print(f(');
    expect(() => read(gemini, {})).toThrow('no candidates');
  });
});

describe('responses in anthropic', () => {
  it('have tokens of the cache among those of the input', () => {
    const usage = { input_tokens: 5, cache_creation_input_tokens: 10, cache_read_input_tokens: 20, output_tokens: 3 };
    expect(read(anthropic, { content: [], stop_reason: 'end_turn', usage }).usage).toEqual({
      inputTokens: 35,
      outputTokens: 3,
      totalTokens: 38,
      cachedInputTokens: 20,
    });
  });

  it('keep blocks that are not known and redacted thinking, streamed as well', () => {
    const redacted = { type: 'redacted_thinking', data: 'xyz' };
    const { result } = readEvents(anthropic, [
      { type: 'message_start', message: { content: [], usage: { input_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: redacted },
      { type: 'content_block_stop', index: 0 },
      { type: 'unheard_of' },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2, input_tokens: null } },
      { type: 'message_stop' },
    ]);
    expect(result?.message.native?.content).toEqual([redacted]);
    expect(result?.usage).toMatchObject({ inputTokens: 1, outputTokens: 2 });
  });

  it('have an unknown reason for the end as `other`', () => {
    const content = [{ type: 'text', text: 'x' }];
    expect(read(anthropic, { content, stop_reason: 'constructor' }).finish).toBe('other');
  });

  it('with a piece of a block that has not begun are refused', () => {
    const piece = { type: 'content_block_delta', index: 3, delta: { type: 'text_delta', text: 'x' } };
    expect(() => readEvents(anthropic, [piece])).toThrow('a piece of a block that has not begun');
  });
});
