import type { JsonObject } from '@weft/node-catalogue';
import { lettersOf } from '@weft/models/testing';
import { type ModelWorld, openModelWorld } from '../../models/testing/run-model';
import { type EmbeddingRun, type EmbeddingRunResult, runEmbedding } from '../testing/run-embedding';

const KEY = 'sk-canary-0123456789abcdef';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.server.embeddings.length = 0;
});

const credentialOf = (kind: string): JsonObject => {
  const { url } = world.server;
  const address: Readonly<Record<string, string>> = { embeddingsOpenAi: `${url}/v1` };
  const base = address[kind] ?? url;
  return { apiKey: KEY, url: base, host: base, baseUrl: base };
};

const run = (kind: string, over: Partial<EmbeddingRun> = {}): Promise<EmbeddingRunResult> =>
  runEmbedding({ kind, credential: credentialOf(kind), streams: world.http, texts: ['ab', 'b\nb'], ...over });

describe('embeddings', () => {
  it.each([
    ['embeddingsOpenAi', '/v1/embeddings', 'authorization'],
    ['embeddingsGoogleGemini', '/v1beta/models/gemini-embedding-001:batchEmbedContents', 'x-goog-api-key'],
    ['embeddingsOllama', '/api/embed', 'authorization'],
  ])('of %s are requested in the format of the service, with the key in its header', async (kind, path, header) => {
    const { outcome, vectors } = await run(kind);
    expect(outcome.kind).toBe('success');
    expect(vectors.map((vector) => vector.slice(0, 3))).toEqual([
      [1, 1, 0],
      [0, 2, 0],
    ]);
    const [request] = world.server.embeddings;
    expect(request).toMatchObject({ path });
    expect(request?.headers[header]).toContain(KEY);
    expect(JSON.stringify(request?.body)).not.toContain(KEY);
  });

  it('have records with the strings and the tokens, and without the vectors', async () => {
    const { calls, root } = await run('embeddingsOpenAi');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      inputOverride: { ai_embedding: [[{ json: { documents: ['ab', 'b b'] } }]] },
      data: {
        ai_embedding: [
          [{ json: { response: { vectors: 2, dimensions: 26 }, tokenUsage: { promptTokens: 4, totalTokens: 4 } } }],
        ],
      },
    });
    expect(root?.metadata).toMatchObject({ tokenUsage: { inputTokens: 4, outputTokens: 0 } });
  });

  it('are requested in batches that the option and the limit allow', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `t${index}`);
    const { vectors } = await run('embeddingsOpenAi', { texts });
    expect(vectors).toHaveLength(200);
    expect(world.server.embeddings.map((one) => one.texts.length)).toEqual([96, 96, 8]);
    world.server.embeddings.length = 0;
    await run('embeddingsOpenAi', { texts: texts.slice(0, 5), parameters: { options: { batchSize: 2 } } });
    expect(world.server.embeddings.map((one) => one.texts.length)).toEqual([2, 2, 1]);
  });

  it('count towards the limit of tokens of the workflow', async () => {
    const { outcome } = await run('embeddingsOpenAi', { settings: { models: { maxTokens: 1 } } });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('settings.models.maxTokens') },
    });
    expect(world.server.embeddings).toHaveLength(0);
  });

  it('refuse a text that is too long, and name the node', async () => {
    const { outcome } = await run('embeddingsOpenAi', { texts: ['x'.repeat(600_000)] });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringMatching(/A text for "Embedding" has 600000 bytes/) },
    });
  });
});

describe('a hostile service of embeddings', () => {
  afterEach(() => world.server.embedWith((texts) => texts.map(() => [1, 0])));

  it.each<[string, (texts: readonly string[]) => never[] | (number | string | null)[][], RegExp]>([
    ['sends fewer vectors than strings', () => [[1]], /1 vectors for 2 strings/],
    ['sends vectors of different lengths', () => [[1, 2], [1]], /vectors of different lengths: 2, and 1/],
    [
      'sends something that is not a number',
      () => [
        [1, 'x'],
        [1, 2],
      ],
      /not made of numbers, for text 0/,
    ],
    [
      'sends null, as JSON has for NaN',
      () => [
        [1, 2],
        [null, 1],
      ],
      /not made of numbers, for text 1/,
    ],
    [
      'sends a number beyond 32 bits',
      () => [
        [1e300, 2],
        [1, 2],
      ],
      /not made of numbers, for text 0/,
    ],
    ['sends an empty vector', () => [[], []], /no vector for text 0/],
    [
      'sends 1 million dimensions',
      (texts) => texts.map(() => Array.from({ length: 1_000_000 }, () => 1)),
      /a vector of 1000000 numbers; at most 16000 fit/,
    ],
  ])('that %s fails the node with a sentence', async (_name, vectors, message) => {
    world.server.embedWith(vectors);
    const { outcome, calls } = await run('embeddingsOpenAi');
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringMatching(message) } });
    expect(calls[0]).toMatchObject({ executionStatus: 'error' });
    expect(JSON.stringify(calls)).not.toContain(KEY);
  });

  it('of more numbers than fit fail before all are requested', async () => {
    const long = Array.from({ length: 16_000 }, () => 1);
    world.server.embedWith((texts) => texts.map(() => long));
    const texts = Array.from({ length: 5_000 }, () => 't');
    const { outcome } = await run('embeddingsOpenAi', { texts }).finally(() => world.server.embedWith(lettersOf));
    expect(outcome).toMatchObject({
      error: { message: `The embeddings of "Embedding" have more than ${32 * 1024 * 1024} numbers` },
    });
    expect(world.server.embeddings.length).toBeLessThan(25);
  });
});
