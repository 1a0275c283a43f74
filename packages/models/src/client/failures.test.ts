import { createOutboundClient, OutboundError, type OutboundClient } from '@weft/outbound';
import type { JsonObject } from '@weft/service-kit/json-values';
import type { ChatCall, ModelFormat } from '../chat-model';
import { ModelError } from '../model-error';
import { endpointOf, FORMATS, TEST_KEY } from '../testing/endpoints';
import type { ScriptedError, ScriptStep } from '../testing/script';
import { type ModelServer, serveModels } from '../testing/serve-models';
import { type ChatModelDeps, createChatModel } from './create-chat-model';
import { retryAfterOf } from './retry-after';

const failureOf = async (promise: Promise<unknown>): Promise<ModelError | OutboundError> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ModelError || error instanceof OutboundError) return error;
    throw error;
  }
  throw new Error('The call was expected to fail.');
};

let server: ModelServer;
let http: OutboundClient;
const waits: number[] = [];
const deps = (more: Partial<ChatModelDeps> = {}): ChatModelDeps => ({
  http,
  sleep: (ms) => Promise.resolve(void waits.push(ms)),
  random: () => 0,
  ...more,
});
beforeAll(async () => {
  server = await serveModels();
  http = createOutboundClient({ allow: ['127.0.0.0/8'] });
});
beforeEach(() => {
  waits.length = 0;
  server.seen.length = 0;
});
afterAll(async () => {
  http.close();
  await server.close();
});

const ask = (format: ModelFormat, call: Partial<ChatCall> = {}, more: Partial<ChatModelDeps> = {}) =>
  createChatModel(endpointOf(format, server.url), deps(more)).call({
    messages: [{ role: 'user', content: 'Hi' }],
    ...call,
  });
const askStreamed = (format: ModelFormat, call: Partial<ChatCall> = {}) =>
  ask(format, { onDelta: () => undefined, ...call });

/** Errors as the services report them. */
const REFUSALS: readonly [string, ModelFormat, ScriptedError, string, RegExp][] = [
  [
    'a wrong key',
    'openai-chat',
    { status: 401, code: 'invalid_api_key', message: 'Incorrect API key provided' },
    'UNAUTHORIZED',
    /^The service refused the API key \(401\): Incorrect API key provided\. Check the key/,
  ],
  [
    'a wrong key',
    'gemini',
    { status: 400, message: 'API key not valid. Please pass a valid API key.' },
    'UNAUTHORIZED',
    /Check the key/,
  ],
  [
    'a wrong key',
    'anthropic',
    { status: 401, code: 'authentication_error', message: 'invalid x-api-key' },
    'UNAUTHORIZED',
    /invalid x-api-key/,
  ],
  [
    'a key that may not',
    'openai-responses',
    { status: 403, message: 'Project has no access' },
    'UNAUTHORIZED',
    /no access/,
  ],
  [
    'an unknown model',
    'openai-chat',
    { status: 404, code: 'model_not_found', message: 'It does not exist' },
    'MODEL_NOT_FOUND',
    /does not know the model "test-model"/,
  ],
  [
    'an unknown model',
    'anthropic',
    { status: 404, code: 'not_found_error', message: 'model: test-model' },
    'MODEL_NOT_FOUND',
    /test-model/,
  ],
  [
    'an unknown model',
    'gemini',
    { status: 404, message: 'models/test-model is not found for API version v1beta' },
    'MODEL_NOT_FOUND',
    /test-model/,
  ],
  [
    'an unknown model',
    'ollama',
    { status: 404, message: 'model "x" not found, try pulling it first' },
    'MODEL_NOT_FOUND',
    /pulling/,
  ],
  ['a wrong address', 'openai-chat', { status: 404, message: 'Not Found' }, 'NOT_FOUND', /Check the base URL/],
  [
    'no quota',
    'openai-chat',
    { status: 429, code: 'insufficient_quota', message: 'You exceeded your quota' },
    'QUOTA_EXCEEDED',
    /billing/,
  ],
  ['no credit', 'openai-chat', { status: 402, message: 'Insufficient Balance' }, 'QUOTA_EXCEEDED', /billing/],
  ['no credit', 'anthropic', { status: 400, message: 'Your credit balance is too low' }, 'QUOTA_EXCEEDED', /billing/],
  [
    'too many tokens',
    'openai-chat',
    { status: 400, code: 'context_length_exceeded', message: 'Too long' },
    'CONTEXT_TOO_LONG',
    /Shorten/,
  ],
  [
    'too many tokens',
    'anthropic',
    { status: 400, message: 'prompt is too long: 200001 tokens > 200000 maximum' },
    'CONTEXT_TOO_LONG',
    /Shorten/,
  ],
  [
    'too many tokens',
    'gemini',
    { status: 400, message: 'The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).' },
    'CONTEXT_TOO_LONG',
    /Shorten/,
  ],
  [
    'too many bytes',
    'anthropic',
    { status: 413, code: 'request_too_large', message: 'Request exceeds the maximum size' },
    'CONTEXT_TOO_LONG',
    /Shorten/,
  ],
  [
    'a filter',
    'openai-chat',
    { status: 400, code: 'content_filter', message: 'The response was filtered' },
    'CONTENT_FILTERED',
    /content filter.*was filtered\. Change the prompt/,
  ],
  [
    'a bad request',
    'openai-chat',
    { status: 400, message: "Unsupported value: 'temperature'" },
    'BAD_REQUEST',
    /Unsupported value/,
  ],
  [
    'a bad request',
    'ollama',
    { status: 400, message: 'model does not support tools' },
    'BAD_REQUEST',
    /does not support tools/,
  ],
  ['a failure', 'gemini', { status: 503, message: 'The model is overloaded.' }, 'UNAVAILABLE', /overloaded/],
  [
    'an overload',
    'anthropic',
    { status: 529, code: 'overloaded_error', message: 'Overloaded' },
    'UNAVAILABLE',
    /\(529\): Overloaded\. Try again later/,
  ],
];

describe('a refusal of a service', () => {
  it.each(REFUSALS)(
    'is told in a sentence that says what to do: %s (%s)',
    async (_name, format, error, code, words) => {
      server.play({ error });
      for (const failure of [await failureOf(ask(format)), await failureOf(askStreamed(format))]) {
        expect(failure).toMatchObject({ code, status: code === 'CONTENT_FILTERED' ? undefined : error.status });
        expect(failure.message).toMatch(words);
      }
    },
  );

  it.each(FORMATS)('within a response of status 200 fails the call as well (%s)', async (format) => {
    const error = { status: 500, message: 'Something broke' };
    server.play({ errorInStream: error });
    expect((await failureOf(askStreamed(format))).message).toMatch(/Something broke/);
    expect((await failureOf(ask(format))).message).toMatch(/Something broke/);
    expect(server.seen).toHaveLength(2);
  });

  it.each<[ModelFormat, string]>([
    ['openai-chat', 'I cannot help with that.'],
    ['openai-responses', 'I cannot help with that.'],
    ['gemini', 'PROHIBITED_CONTENT'],
    ['anthropic', 'refusal'],
  ])('of the model is told with its words (%s)', async (format, words) => {
    server.play({ answer: { refusal: 'I cannot help with that.' } });
    for (const failure of [await failureOf(ask(format)), await failureOf(askStreamed(format))]) {
      expect(failure).toMatchObject({ code: 'CONTENT_FILTERED' });
      expect(failure.message).toContain(words);
    }
  });

  it('after a part of the text leaves the part, with the reason', async () => {
    for (const format of ['openai-chat', 'openai-responses', 'gemini', 'anthropic'] as const) {
      server.play({ answer: { text: 'Once upon', finish: 'contentFilter' } });
      expect(await ask(format)).toMatchObject({ finish: 'contentFilter', message: { content: 'Once upon' } });
    }
  });

  it('never repeats the key, not even in part', async () => {
    server.play({ error: { status: 401, message: `Wrong key ${TEST_KEY}.` } });
    expect((await failureOf(ask('openai-chat'))).message).toContain('Wrong key ***.');
    server.play({ error: { status: 401, message: `${'x'.repeat(490)}${TEST_KEY}` } });
    const { message } = await failureOf(ask('openai-chat'));
    expect(message).toContain('x***…');
    expect(message).not.toContain(TEST_KEY.slice(0, 8));
  });

  it('removes secrets in all their forms before a message is cut', async () => {
    const encoded = Buffer.from(TEST_KEY).toString('base64');
    const said = `${'x'.repeat(490)}${encoded} ${TEST_KEY}`;
    const withoutSecrets = (json: JsonObject): JsonObject =>
      JSON.parse(JSON.stringify(json).replaceAll(encoded, '***'));
    const steps: readonly ScriptStep[] = [
      { raw: { status: 400, body: said } },
      { error: { status: 400, message: said } },
      { errorInStream: { status: 500, message: said } },
      { raw: { body: said } },
    ];
    for (const step of steps)
      for (const onDelta of [{}, { onDelta: () => undefined }]) {
        server.play(step);
        const { message } = await failureOf(ask('openai-chat', onDelta, { withoutSecrets }));
        expect(message).toContain('x***');
        expect(message).not.toContain(encoded.slice(0, 6));
      }
  });
});

describe('retries', () => {
  const busy = (headers: Record<string, string> = {}, status = 429) => ({
    error: { status, message: 'Busy', headers },
  });
  const good = { answer: { text: 'Here.' } };

  it.each(FORMATS)('follow 429 and 5xx, at most twice, each after a longer wait (%s)', async (format) => {
    server.play(busy(), busy({}, 503), good);
    expect((await ask(format)).message.content).toBe('Here.');
    expect(waits).toEqual([500, 1_000]);
    server.play(busy());
    expect(await failureOf(ask(format))).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    expect(server.seen).toHaveLength(6);
  });

  it('wait as long as the service says, in all of its ways, and not for minutes', async () => {
    server.play(busy({ 'retry-after': '7' }), busy({ 'retry-after-ms': '1500' }), good);
    await ask('openai-chat');
    expect(waits).toEqual([7_000, 1_500]);
    server.play(busy({ 'retry-after': '120' }), good);
    const failure = await failureOf(ask('openai-chat'));
    expect(failure.message).toMatch(/It accepts requests again in 120 s\.$/);
    expect(failure).toMatchObject({ retryAfterMs: 120_000 });
    const date = { 'retry-after': 'Mon, 30 Nov 2026 12:00:10 GMT' };
    expect(retryAfterOf(date, null, () => Date.parse('2026-11-30T12:00:00Z'))).toBe(10_000);
    const detail = {
      error: { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' }] },
    };
    expect(retryAfterOf({}, detail)).toBe(34_500);
    expect(retryAfterOf({ 'retry-after': 'soon' }, null)).toBeUndefined();
  });

  it('follow neither other refusals nor a response that has begun', async () => {
    server.play({ error: { status: 400, message: 'No' } }, good);
    await failureOf(ask('openai-chat'));
    server.play({ answer: { text: 'Half of it' }, delivery: { cutAt: 0.5 } }, good);
    await failureOf(askStreamed('openai-chat'));
    expect(server.seen).toHaveLength(2);
  });

  it('are left out if the caller wants none, and end with the call', async () => {
    server.play(busy());
    await failureOf(ask('openai-chat', { settings: { maxRetries: 0 } }));
    expect(server.seen).toHaveLength(1);
    server.play(busy({ 'retry-after': '5' }));
    await failureOf(ask('openai-chat', { settings: { timeoutMs: 4_000 } }));
    expect(server.seen).toHaveLength(2);
    expect(waits).toEqual([]);
  });

  it('stop waiting when the caller gives up', async () => {
    server.play(busy({ 'retry-after': '50' }));
    const controller = new AbortController();
    const model = createChatModel(endpointOf('openai-chat', server.url), { http });
    const call = failureOf(model.call({ messages: [{ role: 'user', content: 'x' }], signal: controller.signal }));
    while (server.seen.length === 0) await new Promise(setImmediate);
    setTimeout(() => controller.abort(), 50);
    expect(await call).toMatchObject({ code: 'ABORTED' });
  });

  it('follow a connection that fails before a response', async () => {
    const closed = await serveModels();
    await closed.close();
    const model = createChatModel(endpointOf('openai-chat', closed.url), deps());
    const failure = await failureOf(model.call({ messages: [{ role: 'user', content: 'x' }] }));
    expect(failure).toMatchObject({ code: 'CONNECTION_REFUSED' });
    expect(waits).toHaveLength(2);
  });
});

describe.each(FORMATS)('a hostile or broken response (%s)', (format) => {
  it('that is cut off is not taken for a whole one', async () => {
    server.play({ answer: { text: 'A long story. '.repeat(20) }, delivery: { cutAt: 0.6 } });
    expect(await failureOf(askStreamed(format))).toMatchObject({ code: 'CONNECTION_LOST' });
    expect(await failureOf(ask(format))).toMatchObject({ code: 'CONNECTION_LOST' });
    server.play({ answer: { text: 'A long story. '.repeat(20) }, delivery: { leavesOutEnd: true } });
    const failure = await failureOf(askStreamed(format));
    expect(failure).toMatchObject({ code: 'TRUNCATED_RESPONSE' });
    expect(failure.message).toMatch(/ended before it was complete, after \d+ bytes/);
  });

  it.each(['endless', 'endless-line'] as const)('ends at 10 MB (%s)', async (hostile) => {
    server.play({ hostile });
    expect(await failureOf(askStreamed(format))).toMatchObject({ code: 'TOO_LARGE' });
    expect(await failureOf(ask(format))).toMatchObject({ code: 'TOO_LARGE' });
  });

  it('is refused if it is not JSON, or too deep', async () => {
    for (const hostile of ['not-json', 'deep'] as const) {
      server.play({ hostile });
      for (const failure of [await failureOf(ask(format)), await failureOf(askStreamed(format))]) {
        expect(failure).toMatchObject({ code: 'MALFORMED_RESPONSE' });
        expect(failure.message.length).toBeLessThan(700);
      }
    }
  });

  it('with a thousand tool calls is refused', async () => {
    server.play({ hostile: 'many-calls' });
    for (const failure of [await failureOf(ask(format)), await failureOf(askStreamed(format))])
      expect(failure.message).toBe('The model called more than 128 tools at once.');
  });

  it('cannot lead elsewhere', async () => {
    server.play({ hostile: 'redirect' });
    expect(await failureOf(ask(format))).toMatchObject({ code: 'REFUSED', rule: 'link-local-address' });
  });

  it('that stays silent ends in time', async () => {
    server.play({ hostile: 'silent' });
    const settings = { idleTimeoutMs: 60 };
    expect(await failureOf(askStreamed(format, { settings }))).toMatchObject({ code: 'TIMEOUT' });
    expect(await failureOf(ask(format, { settings: { timeoutMs: 60 } }))).toMatchObject({ code: 'TIMEOUT' });
  });

  it('that drips ends when the caller gives up', async () => {
    server.play({ answer: { text: 'Slowly. '.repeat(100) }, delivery: { chunkBytes: 50, pauseMs: 5 } });
    const controller = new AbortController();
    const call = askStreamed(format, { signal: controller.signal, onDelta: () => controller.abort() });
    expect(await failureOf(call)).toMatchObject({ code: 'ABORTED' });
  });
});

describe('arguments of tools', () => {
  it('that are too large or too deep are faults of their call', async () => {
    const big = { text: 'x'.repeat(300_000) };
    const deep = `{"a":${'['.repeat(70)}${']'.repeat(70)}}`;
    server.play({
      answer: {
        toolCalls: [
          { id: 'a', name: 'f', input: big },
          { id: 'b', name: 'f', input: deep },
          { id: 'c', name: 'f', input: '[1]' },
          { id: 'd', name: 'f', input: '' },
        ],
      },
    });
    for (const format of ['openai-chat', 'openai-responses', 'anthropic'] as const)
      expect((await ask(format)).toolCalls.map(({ fault }) => fault?.message)).toEqual([
        expect.stringContaining('has more than 262144 characters'),
        expect.stringContaining('is nested deeper than 64 levels'),
        expect.stringContaining('is not a JSON object'),
        undefined,
      ]);
  });
});
