import { NodeFailure } from '@weft/engine';
import { type ChatResult, ModelError } from '@weft/models';
import { OutboundError, OutboundRefused } from '@weft/outbound';
import { modelFailure } from './model-failure';
import { recordedInput, recordedOutput } from './recorded-call';
import { storedText } from './stored-text';
import { estimateTokens, usageOrEstimate } from './token-estimate';

const result = (over: Partial<ChatResult> = {}): ChatResult => ({
  message: { role: 'assistant', content: 'Yes.' },
  toolCalls: [],
  usage: undefined,
  finish: 'stop',
  raw: {},
  ...over,
});

describe('the estimate of tokens', () => {
  it('is a third of the bytes of messages, tools and schema, and a fixed number for each file', () => {
    expect(estimateTokens({ messages: [{ role: 'user', content: 'abcdef' }] })).toBe(2);
    expect(estimateTokens({ messages: [{ role: 'user', content: 'é'.repeat(3) }] })).toBe(2);
    const file = { type: 'file', mimeType: 'image/png', data: 'A'.repeat(1_000_000) } as const;
    const link = { type: 'fileUrl', mimeType: 'image/png', url: 'https://x.example/a.png' } as const;
    expect(estimateTokens({ messages: [{ role: 'user', content: [{ type: 'text', text: 'abc' }, file, link] }] })).toBe(
      2_001,
    );
    const tool = { name: 'f', parameters: { type: 'object' } };
    const schema = { name: 'a', schema: { type: 'object' } };
    expect(estimateTokens({ messages: [], tools: [tool], schema })).toBe(
      Math.ceil(JSON.stringify([tool]).length / 3) + Math.ceil(JSON.stringify(schema.schema).length / 3),
    );
    const calls = [{ id: 'c', name: 'f', input: { city: 'Paris' } }];
    expect(estimateTokens({ messages: [{ role: 'assistant', content: '', toolCalls: calls }] })).toBeGreaterThan(10);
  });

  it('takes the place of usage that the service does not report', () => {
    expect(usageOrEstimate(result(), 10)).toEqual({ inputTokens: 10, outputTokens: 2, totalTokens: 12 });
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
    expect(usageOrEstimate(result({ usage }), 10)).toBe(usage);
  });
});

describe('a stored text', () => {
  it('is itself, or its start and end with the number of characters between them', () => {
    expect(storedText('short', 5)).toBe('short');
    const text = `${'a'.repeat(2_000)} ${'b'.repeat(5_000)} ${'c'.repeat(2_000)}`;
    expect(storedText(text, 4_200)).toBe(`${'a'.repeat(2_000)}\n[… 5001 characters left out …]\n ${'c'.repeat(2_000)}`);
  });

  it('divides no word and no character', () => {
    const secret = 'sk-0123456789abcdef0123456789';
    const text = `${'x '.repeat(1_000)}${secret}${' y'.repeat(5_000)}`;
    for (const max of [4_002, 4_010, 4_030, 4_056]) {
      const stored = storedText(text, max);
      expect(stored.includes(secret) || !stored.includes('sk-')).toBe(true);
    }
    const emoji = storedText('🌦'.repeat(5_000), 4_001);
    expect(emoji.isWellFormed()).toBe(true);
  });
});

describe('the record of a call', () => {
  it('is bounded, whatever the model and the node make of it', () => {
    const input = { text: 'z'.repeat(250_000) };
    const toolCalls = Array.from({ length: 128 }, (_, at) => ({ id: `c${at}`, name: 'f', input }));
    const message = { role: 'assistant', content: 'long '.repeat(1_000_000), toolCalls } as const;
    expect(JSON.stringify(recordedOutput(result({ message, toolCalls }), 1)).length).toBeLessThan(2_600_000);
    const body = { extra: 'e'.repeat(1_000_000) };
    const recorded = recordedInput('m', { messages: [message], settings: { body } }, 1);
    expect(JSON.stringify(recorded).length).toBeLessThan(70_000);
  });

  it('has the conversation as text, with calls of tools and their results', () => {
    const call = { id: 'c', name: 'weather', input: { city: 'Paris' } };
    const { messages, options } = recordedInput(
      'm',
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'assistant', content: '', toolCalls: [call] },
          { role: 'tool', toolCallId: 'c', toolName: 'weather', content: 'rain' },
        ],
        settings: { json: true, stop: ['END'] },
      },
      1,
    );
    expect(messages).toEqual(['System: Be brief.\nAI: [calls weather with {"city":"Paris"}]\nTool: rain']);
    expect(options).toEqual({ model: 'm', stop: ['END'], response_format: { type: 'json_object' } });
  });
});

describe('the failure of a call', () => {
  const { signal } = new AbortController();
  const failed = (thrown: unknown, over: { readonly signal?: AbortSignal } = {}): unknown =>
    modelFailure(thrown, { endpoint: undefined, signal, itemIndex: 2, ...over });

  it('has the status and advice, or passes unchanged', () => {
    expect(failed(new ModelError('UNAVAILABLE', 'It failed.', { status: 503 }))).toMatchObject({
      name: 'NodeApiError',
      itemIndex: 2,
      context: { modelError: 'UNAVAILABLE', status: 503, httpCode: '503' },
      description: expect.stringContaining('Retry on fail'),
    });
    expect(failed(new ModelError('BAD_REQUEST', 'No model.'))).toMatchObject({ name: 'NodeOperationError' });
    for (const other of [new NodeFailure('own'), new TypeError('bug')]) expect(failed(other)).toBe(other);
  });

  it('of a run that is being stopped is the end of the run', () => {
    const stopped = new OutboundError('ABORTED', 'stopped');
    expect(failed(stopped, { signal: AbortSignal.abort() })).toBe(stopped);
  });

  it('says who can permit an address', () => {
    expect(failed(new OutboundRefused('private-address', 'no'))).toMatchObject({
      description: expect.stringContaining('OUTBOUND_ALLOW'),
    });
  });
});
