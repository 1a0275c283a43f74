import type { CaseExchange, KindCases } from '../../../testing/cases/node-case';
import { AS_TOOL, FIRST_METADATA, refusal, SEARCH, STORE_VERSIONS, storeRun, VECTOR_OF_A } from '../testing/store-case';

const versions = STORE_VERSIONS;
const KEY = 'qd-0123456789abcdef';
const host = 'q.example.com:6333';
const headers = { 'api-key': KEY };

const run = storeRun(
  'qdrantApi',
  { qdrantUrl: `https://${host}`, apiKey: KEY },
  { qdrantCollection: { __rl: true, mode: 'id', value: 'docs' } },
);

const MISSING = { status: { error: "Not found: Collection `docs` doesn't exist!" }, time: 0 };
const found = (size: number): CaseExchange => ({
  expect: { method: 'GET', host, path: '/collections/docs', headers },
  response: { result: { config: { params: { vectors: { size, distance: 'Cosine' } } } }, status: 'ok', time: 0 },
});
const created = (body: unknown): CaseExchange => ({
  expect: { method: 'PUT', host, path: '/collections/docs', headers, body },
  response: { result: true, status: 'ok', time: 0 },
});
const upserted = (...body: readonly string[]): CaseExchange => ({
  expect: {
    method: 'PUT',
    host,
    path: '/collections/docs/points?wait=true',
    headers,
    body: [`"vector":${VECTOR_OF_A}`, ...body],
  },
  response: { result: { operation_id: 0, status: 'completed' }, status: 'ok', time: 0 },
});
const query = (payload: readonly [string, string], ...body: readonly string[]): CaseExchange => ({
  expect: {
    method: 'POST',
    host,
    path: '/collections/docs/points/query',
    headers,
    body: [
      `"query":${VECTOR_OF_A}`,
      '"limit":2',
      '"with_vector":false',
      `"with_payload":${JSON.stringify(payload.toReversed())}`,
      ...body,
    ],
  },
  response: {
    result: {
      points: [
        { id: 'x', version: 1, score: 0.9, payload: { [payload[0]]: 'aa', [payload[1]]: { page: 1 } } },
        { id: 7, version: 1, score: 0.5, payload: { [payload[0]]: 'ab', [payload[1]]: null } },
      ],
    },
    status: 'ok',
    time: 0,
  },
});
const PLAIN = ['content', 'metadata'] as const;

export const vectorStoreQdrantCases: KindCases = {
  kind: 'langchain.vectorStoreQdrant',
  cases: [
    {
      it: 'stores the documents of its items in a collection that exists',
      versions,
      run: run('insert'),
      exchange: [found(26), upserted('"payload":{"content":"a","metadata":{"source":"blob"')],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'creates the collection with vectors of its length',
      versions,
      run: run('insert', { options: { contentPayloadKey: 'c', metadataPayloadKey: 'm' } }),
      exchange: [
        refusal(found(26), 404, MISSING),
        created({ vectors: { size: 26, distance: 'Cosine' } }),
        upserted('"payload":{"c":"a","m":{'),
      ],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
    },
    {
      it: 'creates the collection with its configuration, unless another run has just created it',
      versions,
      run: run('insert', { options: { collectionConfig: '{"vectors":{"size":26,"distance":"Dot"}}' } }),
      exchange: [
        refusal(found(26), 404, MISSING),
        refusal(created({ vectors: { size: 26, distance: 'Dot' } }), 409, { status: { error: 'already exists' } }),
        upserted(),
      ],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
    },
    {
      it: 'finds the closest documents that fulfil the filter',
      versions,
      run: run('load', {
        ...SEARCH,
        options: { searchFilterJson: '={"must":[{"key":"metadata.page","match":{"value":{{ 1 }} } }]}' },
      }),
      exchange: [query(PLAIN, '"filter":{"must":[{"key":"metadata.page","match":{"value":1}}]}')],
      gives: [
        [
          { document: { pageContent: 'aa', metadata: { page: 1 } }, score: 0.9 },
          { document: { pageContent: 'ab', metadata: {} }, score: 0.5 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'gives documents with their ids to a model',
      versions,
      run: run('retrieve-as-tool', ...AS_TOOL),
      exchange: [query(PLAIN)],
      gives: [
        [
          {
            response: [
              { type: 'text', text: '{"pageContent":"aa","metadata":{"page":1},"id":"x"}' },
              { type: 'text', text: '{"pageContent":"ab","metadata":{},"id":7}' },
            ],
          },
        ],
      ],
    },
    {
      it: 'gives documents to another node',
      versions,
      run: run('retrieve', { options: { contentPayloadKey: 'c', metadataPayloadKey: 'm' } }),
      exchange: [query(['c', 'm'])],
      gives: [[{ found: ['aa', 'ab'] }]],
    },
    {
      it: 'names a collection that does not exist',
      versions,
      run: run('load', SEARCH),
      exchange: [refusal(query(PLAIN), 404, MISSING)],
      fails: 'Collection docs not found',
    },
    {
      it: 'names both lengths if vectors do not fit the collection',
      versions,
      run: run('insert'),
      exchange: [found(4)],
      fails: 'The collection docs has vectors of 4 numbers, not of 26',
    },
    {
      it: 'has the words of the service on a refused query',
      versions,
      run: run('load', SEARCH),
      exchange: [
        refusal(query(PLAIN), 400, {
          status: { error: 'Wrong input: Vector dimension error: expected dim: 4, got 26' },
          time: 0,
        }),
      ],
      fails: 'Vector dimension error: expected dim: 4, got 26',
    },
    {
      it: 'needs a filter that is an object',
      versions,
      run: run('load', { ...SEARCH, options: { searchFilterJson: '[]' } }),
      exchange: [],
      fails: '"Search filter" of "Node" must be a JSON object',
    },
    {
      it: 'needs an address',
      versions,
      run: run('load', SEARCH, { credential: { qdrantUrl: 'localhost:6333' } }),
      exchange: [],
      fails: 'valid address in "qdrantUrl"',
    },
  ],
};
