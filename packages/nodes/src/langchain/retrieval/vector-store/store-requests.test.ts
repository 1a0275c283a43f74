import { jsonOf } from '@weft/engine/testing';
import { field, type Json, type JsonObject, listField } from '@weft/node-catalogue';
import type { OutboundRequest } from '@weft/outbound';
import { answeringHttp, runStore, type StoreRun } from '../testing/run-store';

const HOST = 'docs-1a2b.svc.aped-1.pinecone.io';
const MEBIBYTE = 1024 * 1024;

const pinecone = (over: Partial<StoreRun> & Pick<StoreRun, 'http'>): StoreRun => ({
  kind: 'vectorStorePinecone',
  credentialType: 'pineconeApi',
  credential: { apiKey: 'k' },
  parameters: { mode: 'insert', pineconeIndex: 'docs' },
  items: [{ t: 'x' }],
  ...over,
});
const qdrant = (over: Partial<StoreRun> & Pick<StoreRun, 'http'>): StoreRun => ({
  kind: 'vectorStoreQdrant',
  credentialType: 'qdrantApi',
  credential: { qdrantUrl: 'https://q.example.com' },
  parameters: { mode: 'load', qdrantCollection: 'c', prompt: 'x', topK: 1_000 },
  items: [{}],
  ...over,
});
/** The API of Pinecone for an index of vectors of any length. */
const index = (request: OutboundRequest): string =>
  JSON.stringify(request.url.endsWith('/indexes/docs') ? { name: 'docs', host: HOST } : { upsertedCount: 1 });

const bodyOf = (request: OutboundRequest): Buffer =>
  request.body instanceof Uint8Array ? Buffer.from(request.body) : Buffer.alloc(0);
const upserts = (requests: readonly OutboundRequest[]): Json[][] =>
  requests
    .filter(({ url }) => url.endsWith('/vectors/upsert'))
    .map((request) => {
      const body: JsonObject = JSON.parse(bodyOf(request).toString());
      return [...listField(body, 'vectors')];
    });
const idsOf = (requests: readonly OutboundRequest[]): unknown[] =>
  upserts(requests)
    .flat()
    .map((vector) => field(vector, 'id'));
const many = (count: number, text = 'x'): JsonObject[] => Array.from({ length: count }, (_, at) => ({ t: text + at }));

describe('an insertion', () => {
  it('has the same ids for its documents if the run of the node is repeated', async () => {
    const [first, second] = [answeringHttp(index), answeringHttp(index)];
    await runStore(pinecone({ http: first.http, items: many(3) }));
    await runStore(pinecone({ http: second.http, items: many(3) }));
    const ids = idsOf(first.requests);
    expect(ids).toEqual(idsOf(second.requests));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it.each([3, 3_072])('sends each vector of %d numbers once, at most 100 and 2 MB in a request', async (length) => {
    const { http, requests } = answeringHttp(index);
    const result = await runStore(pinecone({ http, items: many(250), length }));
    expect(result.outcome.kind).toBe('success');
    expect(new Set(idsOf(requests)).size).toBe(250);
    const sizes = requests.map((request) => bodyOf(request).length);
    expect(Math.max(...sizes)).toBeLessThan(2 * MEBIBYTE);
    expect(Math.max(...upserts(requests).map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('of more documents than a store takes fails before a request, and says what to do', async () => {
    const { http, requests } = answeringHttp(index);
    const { outcome } = await runStore(pinecone({ http, items: many(5_001) }));
    expect(outcome).toMatchObject({
      error: { message: '"Store" got 5001 documents; at most 5000 can be inserted at once' },
    });
    expect(requests).toHaveLength(0);
  });
});

describe('a hostile insertion', () => {
  const sharedMetadata = (bytes: number): JsonObject => ({
    options: { metadata: { metadataValues: [{ name: 'all', value: 'x'.repeat(bytes) }] } },
  });
  const strings = (count: number): JsonObject => Object.fromEntries(many(count).map(({ t }) => [String(t), 'text']));

  it.each([
    ['one item', 1.3, [strings(100)]],
    ['several items', 1.3, Array.from({ length: 10 }, () => strings(10))],
    ['several items, each inserted alone', 1, Array.from({ length: 10 }, () => strings(10))],
  ])('of large metadata that all documents of %s share fails, and says what to do', async (_name, version, items) => {
    const { http, requests } = answeringHttp(index);
    const { outcome } = await runStore(pinecone({ http, items, version, loader: sharedMetadata(MEBIBYTE) }));
    expect(outcome).toMatchObject({
      error: {
        message: `The documents for "Store" have more than ${64 * MEBIBYTE} characters with metadata`,
        description: 'Give them less metadata, or insert fewer items at once.',
      },
    });
    if (version > 1) expect(requests).toHaveLength(0);
  });

  it('has a request for each document with metadata of 2 MB', async () => {
    const { http, requests } = answeringHttp(index);
    const result = await runStore(pinecone({ http, items: [strings(5)], loader: sharedMetadata(2 * MEBIBYTE) }));
    expect(result.outcome.kind).toBe('success');
    expect(upserts(requests).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  });

  it('of metadata with the names of prototypes stores them as data', async () => {
    const { http, requests } = answeringHttp(index);
    const metadataValues = ['__proto__', 'constructor', 'toString', 'a.b', '$where', '{{ 1 }}'].map((name) => ({
      name,
      value: 'v',
    }));
    await runStore(pinecone({ http, loader: { options: { metadata: { metadataValues } } } }));
    const [[stored] = []] = upserts(requests);
    expect(field(stored, 'metadata')).toMatchObject({ constructor: 'v', toString: 'v', 'a.b': 'v', $where: 'v' });
    expect(Object.prototype).not.toHaveProperty('v');
    expect(JSON.stringify(stored)).not.toContain('__proto__');
  });
});

describe('a hostile service', () => {
  const point = (text: string): JsonObject => ({ id: 1, score: 1, payload: { content: text, metadata: {} } });
  const points = (all: readonly Json[]): string => JSON.stringify({ result: { points: [...all] } });

  it('cannot send more than 16 MB', async () => {
    const { http, requests } = answeringHttp(() => points([]));
    await runStore(qdrant({ http }));
    expect(requests.map(({ maxResponseBytes }) => maxResponseBytes)).toEqual([16 * MEBIBYTE]);
  });

  it.each<[string, string]>([
    ['no points', JSON.stringify({ result: {} })],
    ['points that are not objects', points(['x', 1, null, [[]]])],
    ['a list', '[1]'],
    ['a number', '7'],
  ])('that sends %s gives no documents', async (_name, answer) => {
    const { http } = answeringHttp(() => answer);
    const result = await runStore(qdrant({ http }));
    expect(result.outcome.kind).toBe('success');
    expect(jsonOf(result, 'Store')).toEqual([]);
  });

  it('that sends no JSON fails the node clearly', async () => {
    const { http } = answeringHttp(() => '{"result":');
    expect((await runStore(qdrant({ http }))).outcome).toMatchObject({
      error: { message: expect.stringContaining('not valid JSON') },
    });
  });

  it('with large documents, and a huge insertion, let a healthy run next to them end first', async () => {
    const large = points(Array.from({ length: 100 }, () => point('x'.repeat(100_000))));
    const ended: string[] = [];
    const note = async (name: string, run: StoreRun): Promise<string> => {
      const { outcome } = await runStore(run);
      ended.push(name);
      return outcome.kind;
    };
    const kinds = await Promise.all([
      note('search', qdrant({ http: answeringHttp(() => large).http, items: many(10) })),
      note('insertion', pinecone({ http: answeringHttp(index).http, items: many(4_000), length: 1_536 })),
      note('healthy', qdrant({ http: answeringHttp(() => points([point('a')])).http })),
    ]);
    // the search finds more than a node may output
    expect(kinds).toEqual(['error', 'success', 'success']);
    expect(ended[0]).toBe('healthy');
  });
});
