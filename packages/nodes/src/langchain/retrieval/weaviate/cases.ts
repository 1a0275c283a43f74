import type { CaseExchange, KindCases } from '../../../testing/cases/node-case';
import { AS_TOOL, FIRST_METADATA, refusal, SEARCH, STORE_VERSIONS, storeRun, VECTOR_OF_A } from '../testing/store-case';

const versions = STORE_VERSIONS;
const KEY = 'wv-0123456789abcdef';
const host = 'docs.weaviate.cloud';
const headers = { authorization: `Bearer ${KEY}` };

const run = storeRun(
  'weaviateApi',
  { connection_type: 'weaviate_cloud', weaviate_cloud_endpoint: host, weaviate_api_key: KEY },
  { weaviateCollection: { __rl: true, mode: 'list', value: 'docs' } },
);

const schema: CaseExchange = {
  expect: { method: 'GET', host, path: '/v1/schema/Docs', headers },
  response: {
    class: 'Docs',
    properties: [
      { name: 'text', dataType: ['text'] },
      { name: 'page', dataType: ['number'] },
      { name: 'place', dataType: ['geoCoordinates'] },
    ],
  },
};
const created = (body: unknown): CaseExchange => ({
  expect: { method: 'POST', host, path: '/v1/schema', headers, body },
  response: {},
});
const stored = (response: unknown, ...body: readonly string[]): CaseExchange => ({
  expect: {
    method: 'POST',
    host,
    path: '/v1/batch/objects',
    headers,
    body: ['"class":"Docs"', `"vector":${VECTOR_OF_A}`, '"text":"a"', '"loc_lines_from":1', ...body],
  },
  response,
});
const asked = (query: readonly string[], response?: unknown): CaseExchange => ({
  expect: {
    method: 'POST',
    host,
    path: '/v1/graphql',
    headers,
    body: [`vector: ${VECTOR_OF_A}`, 'limit: 2', ...query],
  },
  response: response ?? {
    data: {
      Get: {
        Docs: [
          { text: 'aa', page: 1, _additional: { id: 'x', distance: 0, score: '0.9' } },
          { text: 'ab', page: null, _additional: { id: 'y', distance: 0.5, score: '0.5' } },
        ],
      },
    },
  },
});
const OK = [{ result: { status: 'SUCCESS' } }];

export const vectorStoreWeaviateCases: KindCases = {
  kind: 'langchain.vectorStoreWeaviate',
  cases: [
    {
      it: 'stores the documents of its items with flat metadata',
      versions,
      run: run('insert'),
      exchange: [schema, stored(OK)],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'creates a collection with tenants that is missing',
      versions,
      run: run('insert', { options: { tenant: 'acme', clearStore: true } }),
      exchange: [
        refusal(
          { expect: { method: 'DELETE', path: '/v1/schema/Docs/tenants', body: '["acme"]' }, response: {} },
          404,
          {},
        ),
        refusal(schema, 404, {}),
        created({
          class: 'Docs',
          vectorizer: 'none',
          multiTenancyConfig: { enabled: true, autoTenantCreation: true },
        }),
        stored(OK, '"tenant":"acme"'),
      ],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
    },
    {
      it: 'finds the closest documents that fulfil the filter',
      versions,
      run: run('load', {
        ...SEARCH,
        options: {
          tenant: 'acme',
          searchFilterJson:
            '{"OR":[{"path":["page"],"operator":"equal","valueNumber":1},' +
            '{"path":["page"],"operator":"isNull","valueBoolean":true}]}',
        },
      }),
      exchange: [
        schema,
        asked([
          '{ Get { Docs(nearVector: {',
          'where: {operator: Or, operands: [{path: [\\"page\\"], operator: Equal, valueNumber: 1}',
          'tenant: \\"acme\\"',
          '{ text page _additional { id distance } }',
        ]),
      ],
      gives: [
        [
          { document: { pageContent: 'aa', metadata: { page: 1 } }, score: 0 },
          { document: { pageContent: 'ab', metadata: {} }, score: 0.5 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'finds documents by vectors and words',
      versions,
      run: run('load', { ...SEARCH, options: { hybridQuery: 'say "a"', alpha: 0.25, metadataKeys: 'page, 1x' } }),
      exchange: [
        asked([
          'hybrid: {query: \\"say \\\\\\"a\\\\\\"\\"',
          'alpha: 0.25, fusionType: relativeScoreFusion',
          '{ text page _additional { id score } }',
        ]),
      ],
      gives: [
        [
          { document: { pageContent: 'aa', metadata: { page: 1 } }, score: 0.9 },
          { document: { pageContent: 'ab', metadata: {} }, score: 0.5 },
        ],
      ],
    },
    {
      it: 'gives documents with their ids to a model',
      versions,
      run: run('retrieve-as-tool', ...AS_TOOL),
      exchange: [schema, asked([])],
      gives: [
        [
          {
            response: [
              { type: 'text', text: '{"pageContent":"aa","metadata":{"page":1},"id":"x"}' },
              { type: 'text', text: '{"pageContent":"ab","metadata":{},"id":"y"}' },
            ],
          },
        ],
      ],
    },
    {
      it: 'gives documents to another node',
      versions,
      run: run('retrieve'),
      exchange: [schema, asked([])],
      gives: [[{ found: ['aa', 'ab'] }]],
    },
    {
      it: 'names a collection that does not exist',
      versions,
      run: run('load', SEARCH),
      exchange: [refusal(schema, 404, {})],
      fails: 'Collection Docs not found',
    },
    {
      it: 'has the words of the service on a document that it refuses',
      versions,
      run: run('insert'),
      exchange: [
        schema,
        stored([
          { result: { status: 'FAILED', errors: { error: [{ message: 'vector lengths do not match: 3 vs 26' }] } } },
        ]),
      ],
      fails: 'vector lengths do not match: 3 vs 26',
    },
    {
      it: 'has the words of the service on a query that it refuses',
      versions,
      run: run('load', SEARCH),
      exchange: [schema, asked([], { errors: [{ message: 'vector lengths do not match' }] })],
      fails: 'vector lengths do not match',
    },
    {
      it: 'needs complete conditions',
      versions,
      run: run('load', { ...SEARCH, options: { searchFilterJson: '{"path":["page"]}' } }),
      exchange: [schema],
      fails: 'A condition of "Search filters" is incomplete',
    },
    {
      it: 'refuses a collection whose name is more than a name',
      versions,
      run: run('load', { ...SEARCH, weaviateCollection: 'Docs) { text } } Get {' }),
      exchange: [],
      fails: 'is not a name of a collection',
    },
  ],
};
