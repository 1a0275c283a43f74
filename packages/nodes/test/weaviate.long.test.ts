import { randomBytes } from 'node:crypto';
import { jsonOf, type TestResult } from '@weft/engine/testing';
import { field, type Json, type JsonObject } from '@weft/node-catalogue';
import { createOutboundClient, type OutboundClient } from '@weft/outbound';
import { fixedEmbedding, runStore, type StoreRun } from '../src/langchain/retrieval/testing/run-store';
import { scriptedEmbedding } from '../src/langchain/testing/scripted-embedding';
import { describeAt } from './support/servers';

/** A server without authentication: built by `go install github.com/weaviate/weaviate/cmd/weaviate-server@v1.35.2`. */
describeAt('TEST_WEAVIATE_URL', 'documents of a real Weaviate', ({ hostname, port }) => {
  let http: OutboundClient;
  let collection = '';

  beforeAll(() => {
    http = createOutboundClient({ allow: [`${hostname}:${port}`] });
  });
  beforeEach(() => {
    collection = `Weft${randomBytes(6).toString('hex')}`;
  });
  afterEach(async () => {
    await fetch(`http://${hostname}:${port}/v1/schema/${collection}`, { method: 'DELETE' });
  });
  afterAll(() => http?.close());

  let runs = 0;
  const run = (parameters: JsonObject, items: readonly JsonObject[], over: Partial<StoreRun> = {}) =>
    runStore({
      kind: 'vectorStoreWeaviate',
      credentialType: 'weaviateApi',
      credential: { custom_connection_http_host: hostname, custom_connection_http_port: Number(port) },
      parameters: { weaviateCollection: collection, ...parameters },
      items,
      http,
      embedding: scriptedEmbedding,
      executionId: `run ${(runs += 1)}`,
      ...over,
    });
  const insert = async (
    texts: readonly string[],
    options: JsonObject = {},
    executionId = 'once',
  ): Promise<TestResult> =>
    run(
      { mode: 'insert', options },
      texts.map((t) => ({ t })),
      { executionId },
    );
  const succeeded = (result: TestResult): TestResult => {
    expect(result.outcome).toMatchObject({ kind: 'success' });
    return result;
  };
  const load = async (prompt: string, options: JsonObject = {}): Promise<Json[]> => {
    const result = succeeded(await run({ mode: 'load', prompt, topK: 10, options }, [{}]));
    return (jsonOf(result, 'Store') ?? []).map((json) => field(json, 'document') ?? null);
  };
  const textsOf = async (prompt: string, options: JsonObject = {}): Promise<unknown[]> =>
    (await load(prompt, options)).map((document) => field(document, 'pageContent'));

  it('are found, the closest first, with their metadata', async () => {
    succeeded(await insert(['zebra', 'moon', 'mooon']));
    expect(await textsOf('moo')).toEqual(['mooon', 'moon', 'zebra']);
    const [first] = await load('zebra');
    expect(first).toMatchObject({ pageContent: 'zebra', metadata: { blobType: 'application/json', line: 1 } });
  });

  it('are stored once if the run of the node is repeated', async () => {
    const many = Array.from({ length: 500 }, (_, at) => `text ${'abcdefghij'.charAt(at % 10)} ${at}`);
    succeeded(await insert(many.slice(0, 300), {}, 'killed'));
    succeeded(await insert(many, {}, 'killed'));
    const url = `http://${hostname}:${port}/v1/graphql`;
    const query = `{ Aggregate { ${collection} { meta { count } } } }`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect(await answer.text()).toContain('"count":500');
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ['Equal', { path: ['line'], operator: 'Equal', valueNumber: 1 }, ['aa', 'ab']],
    ['LessThan', { path: ['line'], operator: 'LessThan', valueNumber: 1.5 }, ['aa', 'ab']],
    ['GreaterThan', { path: ['line'], operator: 'GreaterThan', valueNumber: 1 }, []],
    ['Like', { path: ['text'], operator: 'Like', valueString: '*b' }, ['ab']],
    ['ContainsAny', { path: ['text'], operator: 'ContainsAny', valueTextArray: ['aa', 'zz'] }, ['aa']],
    [
      'AND',
      {
        AND: [
          { path: ['blobType'], operator: 'Equal', valueString: 'application/json' },
          { path: ['text'], operator: 'Equal', valueString: 'aa' },
        ],
      },
      ['aa'],
    ],
    ['injection', { path: ['text'], operator: 'Equal', valueString: '"}) { text } } #' }, []],
  ])('that fulfil a filter with %s are found', async (_name, filter, expected) => {
    succeeded(await insert(['aa', 'ab']));
    expect((await textsOf('a', { searchFilterJson: filter })).sort()).toEqual(expected);
  });

  it.each<[string, JsonObject]>([
    ['words', { hybridQuery: 'zebra', alpha: 0 }],
    ['both', { hybridQuery: 'zebra', fusionType: 'Ranked', queryProperties: 'text', hybridExplainScore: true }],
    ['groups', { hybridQuery: 'zebra', autoCutLimit: 1, fusionType: 'RelativeScore' }],
  ])('are found by %s', async (_name, options) => {
    succeeded(await insert(['a zebra', 'the moon']));
    expect((await textsOf('zebra', options))[0]).toBe('a zebra');
  });

  it('of one tenant are not found by another one', async () => {
    succeeded(await insert(['mine'], { tenant: 'a' }, 'a'));
    succeeded(await insert(['theirs'], { tenant: 'b' }, 'b'));
    expect(await textsOf('m', { tenant: 'a' })).toEqual(['mine']);
    expect(await textsOf('m', { tenant: 'b' })).toEqual(['theirs']);
  });

  it('are removed first by "Clear data"', async () => {
    succeeded(await insert(['old'], {}, 'old'));
    succeeded(await insert(['new'], { clearStore: true }, 'new'));
    expect(await textsOf('n')).toEqual(['new']);
  });

  it('are refused with vectors of another length, with the words of the server', async () => {
    succeeded(await insert(['aa']));
    const wrong = { embedding: fixedEmbedding(4), executionId: 'wrong' };
    expect((await run({ mode: 'insert' }, [{ t: 'x' }], wrong)).outcome).toMatchObject({
      error: { message: expect.stringMatching(/length|dimension/i) },
    });
    expect((await run({ mode: 'load', prompt: 'x' }, [{}], wrong)).outcome).toMatchObject({
      error: { message: expect.stringMatching(/length|dimension/i) },
    });
    expect(await textsOf('a')).toEqual(['aa']);
  });

  it('are not searched in a collection that does not exist', async () => {
    expect((await run({ mode: 'load', prompt: 'x' }, [{}])).outcome).toMatchObject({
      error: { message: `Collection ${collection} not found` },
    });
  });
});
