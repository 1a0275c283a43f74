import { jsonOf, memoryFileArea, runTest, type TestResult, type TestRun } from '@weft/engine/testing';
import type { FileArea, NodeExecutor } from '@weft/engine';
import { field, type JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { scriptedEmbedding } from '../../testing/scripted-embedding';

const TYPE = '@n8n/n8n-nodes-langchain.vectorStoreInMemory';

interface StoreRun {
  readonly fileArea: FileArea;
  readonly parameters: JsonObject;
  readonly items?: readonly JsonObject[];
  readonly version?: number;
  readonly embedding?: Omit<NodeExecutor, 'kind'>;
  /** A new one if absent. */
  readonly executionId?: string;
}

let executions = 0;

const run = ({
  fileArea,
  parameters,
  items = [{}],
  version = 1.3,
  embedding = scriptedEmbedding,
  executionId = `run ${(executions += 1)}`,
}: StoreRun): Promise<TestResult> => {
  const test: TestRun = {
    nodes: [
      ['Start', 'source'],
      ['Store', 'store', { type: TYPE, typeVersion: version, parameters }],
      ['Embedding', 'embedding'],
      ['Loader', 'loader', { type: '@n8n/n8n-nodes-langchain.documentDefaultDataLoader', typeVersion: 1.1 }],
    ],
    links: ['Start>Store', 'Embedding>Store@ai_embedding', 'Loader>Store@ai_document'],
    executors: {
      source: ({ items: given }) => ({ kind: 'items', outputs: [given] }),
      embedding,
    },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    input: items,
    executionId,
    ports: { fileArea },
  };
  return runTest(test);
};

const found = async (fileArea: FileArea, prompt: string, over: Partial<StoreRun> = {}): Promise<unknown[]> => {
  const result = await run({ fileArea, parameters: { mode: 'load', prompt, topK: 10 }, ...over });
  return (jsonOf(result, 'Store') ?? []).map((json) => field(field(json, 'document'), 'pageContent'));
};

/** Makes vectors of one length. */
const ofLength = (length: number): Omit<NodeExecutor, 'kind'> => ({
  ...scriptedEmbedding,
  supplies: {
    ai_embedding: () => ({
      name: 'fixed',
      embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(length).fill(1))),
    }),
  },
});

describe('the simple vector store', () => {
  it('finds what an earlier run has stored, the closest first', async () => {
    const fileArea = memoryFileArea();
    const insert = await run({
      fileArea,
      parameters: { mode: 'insert' },
      items: [{ t: 'aaab' }, { t: 'bbba' }, { t: 'cccc' }],
    });
    expect(insert.outcome.kind).toBe('success');
    expect(await found(fileArea, 'b')).toEqual(['bbba', 'aaab', 'cccc']);
    expect(await found(fileArea, 'b', { parameters: { mode: 'load', prompt: 'b', topK: 1 } })).toEqual(['bbba']);
  });

  it.each([1, 1.1, 1.2, 1.3])(
    'is emptied once by "Clear store" in version %d, and keeps the new documents',
    async (version) => {
      const fileArea = memoryFileArea();
      await run({ fileArea, version, parameters: { mode: 'insert' }, items: [{ t: 'old' }] });
      await run({
        fileArea,
        version,
        parameters: { mode: 'insert', clearStore: true },
        items: [{ t: 'newa' }, { t: 'newb' }],
      });
      expect((await found(fileArea, 'n', { version })).sort()).toEqual(['newa', 'newb']);
    },
  );

  it('has documents of its key alone', async () => {
    const fileArea = memoryFileArea();
    const key = (value: string): JsonObject => ({ memoryKey: { __rl: true, mode: 'id', value } });
    await run({ fileArea, parameters: { mode: 'insert', ...key('one') }, items: [{ t: 'x' }] });
    expect(await found(fileArea, 'x', { parameters: { mode: 'load', prompt: 'x', ...key('two') } })).toEqual([]);
    expect(await found(fileArea, 'x', { parameters: { mode: 'load', prompt: 'x', ...key('one') } })).toEqual(['x']);
  });

  it('stores nothing twice if a step is repeated', async () => {
    const fileArea = memoryFileArea();
    const insert = (): Promise<TestResult> =>
      run({ fileArea, parameters: { mode: 'insert' }, items: [{ t: 'x' }], executionId: 'repeated' });
    await insert();
    await insert();
    expect(await found(fileArea, 'x')).toEqual(['x']);
  });

  it('refuses vectors of another length, with both lengths', async () => {
    const fileArea = memoryFileArea();
    const parameters = { mode: 'insert' };
    await run({ fileArea, parameters, items: [{ t: 'x' }], embedding: ofLength(3) });
    const other = await run({ fileArea, parameters, items: [{ t: 'x' }], embedding: ofLength(4) });
    expect(other.outcome).toMatchObject({
      error: { message: 'The store "vector_store_key" has vectors of 3 numbers, not of 4' },
    });
    const query = await run({ fileArea, parameters: { mode: 'load', prompt: 'x' }, embedding: ofLength(4) });
    expect(query.outcome).toMatchObject({
      error: { message: 'The store "vector_store_key" has vectors of 3 numbers, but the query has 4' },
    });
  });

  it('refuses more documents than fit, and stores none of them', async () => {
    const fileArea = memoryFileArea();
    const items = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => ({ t: `d${at}` }));
    await run({ fileArea, parameters: { mode: 'insert' }, items: items(4_999), embedding: ofLength(2) });
    const more = await run({ fileArea, parameters: { mode: 'insert' }, items: items(2), embedding: ofLength(2) });
    expect(more.outcome).toMatchObject({
      error: { message: 'The store "vector_store_key" would have 5001 documents; at most 5000 fit' },
    });
    const one = await run({ fileArea, parameters: { mode: 'insert' }, items: items(1), embedding: ofLength(2) });
    expect(one.outcome.kind).toBe('success');
  });

  it('leaves out lines of its files that are not documents', async () => {
    const fileArea = memoryFileArea();
    await run({ fileArea, parameters: { mode: 'insert' }, items: [{ t: 'x' }] });
    const [{ path } = { path: '' }] = await fileArea.list();
    const bytes = Buffer.from('{"pageContent":"y","vector":"AAA="}\n[1]\nnot json\n{"vector":1}\n');
    await fileArea.write({ path, bytes, append: true, operation: 'other', seq: 0 });
    expect(await found(fileArea, 'x')).toEqual(['x']);
  });

  it('fails without an embedding that is enabled, and names it', async () => {
    const result = await run({
      fileArea: memoryFileArea(),
      parameters: { mode: 'load', prompt: 'x' },
      embedding: { ...scriptedEmbedding, supplies: {} },
    });
    expect(result.outcome).toMatchObject({ error: { message: expect.stringContaining('"Embedding"') } });
  });
});
