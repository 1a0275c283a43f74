import { runTest } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { type ModelWorld, openModelWorld } from '../models/testing/run-model';
import { askingTest, callWeather, say } from '../testing/ask-node';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const testOf = (steps: Parameters<typeof askingTest>[1], options: JsonObject = {}) =>
  askingTest(world, steps, {
    kind: 'ollama',
    version: 1,
    credentialType: 'ollamaApi',
    credential: { baseUrl: world.server.url },
    parameters: { modelId: 'llama3.2', messages: { values: [{ content: 'Hi' }] }, options },
  });

describe('the Ollama node', () => {
  it('sends each option where the server reads it', async () => {
    const options = {
      system: 'Be brief',
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      num_predict: 50,
      seed: 7,
      stop: 'a, b',
      num_ctx: 4096,
      repeat_last_n: 9,
      min_p: 0.1,
      low_vram: true,
      keep_alive: '5m',
      think: false,
      format: 'json',
    };
    await runTest(testOf([say('{}')], options));
    expect(world.server.last().body).toEqual({
      model: 'llama3.2',
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [expect.objectContaining({ type: 'function' })],
      stream: false,
      format: 'json',
      keep_alive: '5m',
      think: false,
      options: {
        temperature: 0,
        top_p: 0.5,
        top_k: 3,
        num_predict: 50,
        seed: 7,
        stop: ['a', 'b'],
        num_ctx: 4096,
        repeat_last_n: 9,
        min_p: 0.1,
        low_vram: true,
      },
    });
  });

  it('gives the fifteenth answer as it is', async () => {
    const { outcome } = await runTest(testOf([callWeather('Rome')]));
    expect(outcome.kind).toBe('success');
    expect(world.server.seen).toHaveLength(15);
  });
});
