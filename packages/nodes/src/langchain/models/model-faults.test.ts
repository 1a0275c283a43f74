import { TEST_KEY } from '@weft/models/testing';
import { runTest } from '@weft/engine/testing';
import { NODE_REGISTRY } from '../../executors';
import { type ModelRun, type ModelWorld, openModelWorld, runModel } from './testing/run-model';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const run = (over: Partial<ModelRun> = {}) =>
  runModel({
    kind: 'lmChatOpenAi',
    version: 1.2,
    parameters: { model: { value: 'gpt-4o' }, options: { maxRetries: 0 } },
    credential: { apiKey: TEST_KEY, url: `${world.server.url}/v1` },
    streams: world.http,
    ...over,
  });

const errorOf = async (over: Partial<ModelRun> = {}) => {
  const { outcome, calls } = await run(over);
  if (outcome.kind !== 'error') throw new Error(`The run ended as ${outcome.kind}.`);
  expect(JSON.stringify([outcome, calls])).not.toContain(TEST_KEY);
  return { error: outcome.error, calls };
};

describe('a model node', () => {
  it('fails with the sentence of the service, its status and advice, and records the call', async () => {
    world.server.play({ error: { status: 429, message: 'Slow down', headers: { 'retry-after': '7' } } });
    const { error, calls } = await errorOf();
    expect(error).toMatchObject({
      name: 'NodeApiError',
      message: expect.stringMatching(/too many requests \(429\): Slow down\. .*again in 7 s/),
      description: expect.stringContaining('Max Retries'),
      context: { status: 429, httpCode: '429', modelError: 'RATE_LIMITED', retryAfterMs: 7_000, itemIndex: 0 },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ executionStatus: 'error', error: { message: error.message } });
  });

  it('repeats a refused request as often as the node says, after waits of the run', async () => {
    const failed = { error: { status: 503, message: 'Overloaded' } };
    world.server.play(failed, failed, { answer: { text: 'At last.' } });
    const before = world.server.seen.length;
    const parameters = { model: { value: 'gpt-4o' }, options: { maxRetries: 2 } };
    expect((await run({ parameters })).results[0]?.message.content).toBe('At last.');
    expect(world.server.seen.length - before).toBe(3);
  });

  it.each([
    [{ status: 401, message: `Incorrect key ${TEST_KEY}` }, 'refused the API key (401)'],
    [{ status: 404, message: 'The model `gpt-4o` does not exist', code: 'model_not_found' }, 'does not know the model'],
    [{ status: 400, message: 'Too long', code: 'context_length_exceeded' }, 'longer than the model "gpt-4o" accepts'],
  ])('reports %j without its key', async (error, message) => {
    world.server.play({ error });
    expect((await errorOf()).error.message).toContain(message);
  });

  it('sends its key only to the host of the credential, or to those that the credential allows', async () => {
    const other = 'https://other.example/v1';
    const before = world.server.seen.length;
    const { error } = await errorOf({
      version: 1,
      parameters: { model: 'm', options: { baseURL: `${world.server.url}/v1` } },
      credential: { apiKey: TEST_KEY, url: other },
    });
    expect(error.message).toContain('The credential may not be used for requests to "127.0.0.1"');
    expect(error.description).toContain('only to the host of the credential (other.example)');
    expect(world.server.seen.length).toBe(before);
    world.server.play({ answer: { text: 'Here.' } });
    const { results } = await run({
      version: 1,
      parameters: { model: 'm', options: { baseURL: `${world.server.url}/v1` } },
      credential: {
        apiKey: TEST_KEY,
        url: other,
        allowedHttpRequestDomains: 'domains',
        allowedDomains: '127.0.0.1:*, 127.0.0.1',
      },
    });
    expect(results[0]?.message.content).toBe('Here.');
  });

  it.each([
    [{ model: { value: '' } }, {}, 'has no value in "model". Choose a model.'],
    [{ model: { value: 'm' }, options: { extraBody: '{' } }, {}, '"Extra Body" is not valid JSON'],
    [{ model: { value: 'm' } }, { url: 'my server' }, 'has no valid address in "url"'],
    [
      { model: { value: 'm' } },
      { allowedHttpRequestDomains: 'domains', allowedDomains: ' ' },
      'No allowed domains specified',
    ],
    [{ model: { value: "={{ $('Gone').item.json.model }}" } }, {}, "Referenced node doesn't exist"],
  ])('with %j and %j fails before anything is sent', async (parameters, credential, message) => {
    const before = world.server.seen.length;
    const { error, calls } = await errorOf({ parameters, credential: { apiKey: TEST_KEY, ...credential } });
    expect(error.message).toContain(message);
    expect([calls, world.server.seen.length]).toEqual([[], before]);
  });

  it('says what to do if the service cannot be reached, or is too slow', async () => {
    const gone = await errorOf({ credential: { apiKey: TEST_KEY, url: 'http://127.0.0.1:1/v1' } });
    expect(gone.error).toMatchObject({
      name: 'NodeApiError',
      message: expect.stringContaining('The model service could not be called'),
      description: expect.stringContaining('base URL'),
    });
    world.server.play({ hostile: 'silent' });
    const parameters = { model: { value: 'gpt-4o' }, options: { timeout: 100, maxRetries: 0 } };
    const slow = await errorOf({ parameters });
    expect(slow.error).toMatchObject({ context: { code: 'TIMEOUT' }, description: expect.stringContaining('Timeout') });
  });

  it('leaves addresses of private networks to the operator', async () => {
    const { error } = await errorOf({
      kind: 'lmChatOllama',
      version: 1,
      parameters: {},
      credential: { baseUrl: 'http://10.0.0.5:11434' },
    });
    expect(error.description).toContain('OUTBOUND_ALLOW');
  });

  it('ends a call when the run is stopped', async () => {
    const stop = new AbortController();
    world.server.play({ hostile: 'silent' });
    const running = run({ signal: stop.signal });
    setTimeout(() => stop.abort('cancel'), 50);
    const { outcome, calls } = await running;
    expect([outcome.kind, calls]).toEqual(['stopped', []]);
  });

  it('cannot run on its own, and says where it belongs', async () => {
    const executor = NODE_REGISTRY.get('langchain.lmChatOpenAi');
    const { outcome } = await runTest({
      nodes: [['Model', 'model', { type: '@n8n/n8n-nodes-langchain.lmChatOpenAi' }]],
      links: [],
      executors: executor === undefined ? {} : { [executor.kind]: executor },
    });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The node "Model" is a model, which only other nodes can use' },
    });
  });
});
