import { jsonOf, runInPieces, runTest } from '@weft/engine/testing';
import { type ScriptStep, TEST_KEY } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { type ModelWorld, openModelWorld } from '../models/testing/run-model';
import { type AskNode, askingTest, callWeather, say } from '../testing/ask-node';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const asked: JsonObject = { modelId: { value: 'm-1' }, messages: { values: [{ content: '=Say {{ $json.n }}' }] } };

/** Every node of a vendor that asks a model with the parameter `messages`. */
const NODES: readonly (readonly [kind: string, version: number, credentialType: string, addressField: string])[] = [
  ['anthropic', 1, 'anthropicApi', 'url'],
  ['googleGemini', 1.2, 'googlePalmApi', 'host'],
  ['ollama', 1, 'ollamaApi', 'baseUrl'],
];

describe.each(NODES)('the node %s', (kind, version, credentialType, addressField) => {
  const testOf = (steps: readonly ScriptStep[], parameters: JsonObject = {}) => {
    const node: AskNode = {
      kind,
      version,
      credentialType,
      credential: { apiKey: TEST_KEY, [addressField]: world.server.url },
      parameters: { ...asked, ...parameters },
    };
    return askingTest(world, steps, node);
  };

  it('calls the attached tools until the model answers', async () => {
    const result = await runTest(testOf([callWeather('Rome'), callWeather('Oslo'), say('Sunny')]));
    expect(JSON.stringify(jsonOf(result, 'Ask'))).toContain('"Sunny"');
    expect(JSON.stringify(world.server.last().body)).toContain('Oslo: sunny');
    expect(result.records.get('weather')).toHaveLength(2);
    expect(result.records.get('Ask')?.[0]?.metadata?.['tokenUsage']).toEqual({ inputTokens: 27, outputTokens: 13 });
  });

  it('gives the same items if the run moves to another process after each step', async () => {
    const steps = [callWeather('Rome'), say('Sunny')];
    const whole = await runTest(testOf(steps));
    const pieces = await runInPieces(testOf(steps));
    expect(jsonOf(pieces, 'Ask')).toEqual(jsonOf(whole, 'Ask'));
    expect(world.server.seen).toHaveLength(2);
  });

  it('leaves out messages without a text, and keeps the order of the others', async () => {
    const values = [{ content: 'One' }, { content: ' ' }, { content: 'Two' }];
    await runTest(testOf([say('Hi')], { messages: { values } }));
    const body = JSON.stringify(world.server.last().body);
    expect(body.indexOf('One')).toBeLessThan(body.indexOf('Two'));
    expect(body).not.toContain('" "');
  });

  it('refuses roles that it does not have', async () => {
    const { outcome } = await runTest(testOf([], { messages: { values: [{ content: 'Hi', role: 'judge' }] } }));
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('role of a message') } });
    expect(world.server.seen).toHaveLength(0);
  });

  it.each([
    ['not-json', 'not valid JSON'],
    ['many-calls', '128'],
    ['redirect', '169.254.169.254'],
  ] as const)('reports a response that is %s', async (hostile, part) => {
    const { outcome } = await runTest(testOf([{ hostile }]));
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining(part) } });
  });

  it('stores its key in no record, even if the service repeats it', async () => {
    const echoing = await runTest(testOf([say(`Your key is ${TEST_KEY}`)], { simplify: false }));
    const failing = await runTest(testOf([{ error: { status: 401, message: `Incorrect key ${TEST_KEY}` } }]));
    expect(JSON.stringify([[...echoing.records], [...failing.records], failing.outcome])).not.toContain(TEST_KEY);
    expect(echoing.outcome.kind).toBe('success');
  });
});
