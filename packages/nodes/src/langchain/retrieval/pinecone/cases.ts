import type { CaseExchange, KindCases } from '../../../testing/cases/node-case';
import { AS_TOOL, FIRST_METADATA, refusal, SEARCH, STORE_VERSIONS, storeRun, VECTOR_OF_A } from '../testing/store-case';

const versions = STORE_VERSIONS;
const KEY = 'pc-0123456789abcdef';
const HOST = 'docs-1a2b.svc.aped-1.pinecone.io';
const headers = { 'api-key': KEY, 'x-pinecone-api-version': '2025-01' };

const run = storeRun('pineconeApi', { apiKey: KEY }, { pineconeIndex: { __rl: true, mode: 'list', value: 'docs' } });
const NAMESPACE = { options: { pineconeNamespace: 'ns' } };

const described: CaseExchange = {
  expect: { method: 'GET', host: 'api.pinecone.io', path: '/indexes/docs', headers },
  response: { name: 'docs', dimension: 26, metric: 'cosine', host: HOST },
};
const posted = (path: string, body: readonly string[], response: unknown): CaseExchange => ({
  expect: { method: 'POST', host: HOST, path, headers, body },
  response,
});
const query = (more: string): CaseExchange =>
  posted('/query', ['"topK":2', `"vector":${VECTOR_OF_A}`, '"includeMetadata":true', more], {
    matches: [
      { id: 'x', score: 0.9, metadata: { text: 'aa', page: 1 } },
      { id: 'y', score: 0.5, metadata: { text: 'ab' } },
    ],
  });
const upserted = (...body: readonly string[]): CaseExchange =>
  posted('/vectors/upsert', [`"values":${VECTOR_OF_A}`, '"text":"a"', ...body], { upsertedCount: 1 });

export const vectorStorePineconeCases: KindCases = {
  kind: 'langchain.vectorStorePinecone',
  cases: [
    {
      it: 'stores the documents of its items with flat metadata',
      versions,
      run: run('insert'),
      exchange: [described, upserted('"loc.lines.from":1', '"source":"blob"', '"namespace":""')],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'empties a namespace first',
      versions,
      run: run('insert', { options: { clearNamespace: true, pineconeNamespace: 'ns' } }),
      exchange: [
        described,
        refusal(posted('/vectors/delete', ['"deleteAll":true', '"namespace":"ns"'], {}), 404, {
          code: 5,
          message: 'Namespace not found',
        }),
        upserted('"namespace":"ns"'),
      ],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
    },
    {
      it: 'finds the closest documents of a namespace',
      versions,
      run: run('load', {
        ...SEARCH,
        options: { pineconeNamespace: 'ns', metadata: { metadataValues: [{ name: 'page', value: '={{ 1 }}' }] } },
      }),
      exchange: [described, query('"namespace":"ns","topK":2,"filter":{"page":1}')],
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
      exchange: [described, query('"namespace":""')],
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
      run: run('retrieve', NAMESPACE),
      exchange: [described, query('"namespace":"ns"')],
      gives: [[{ found: ['aa', 'ab'] }]],
    },
    {
      it: 'replaces a document by its id',
      versions,
      run: run('update', { id: 'x' }),
      exchange: [described, upserted('"id":"x"')],
      gives: [[{ pageContent: 'a', metadata: { source: 'blob', blobType: 'application/json', line: 1 } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'names an index that does not exist',
      versions,
      run: run('insert'),
      exchange: [
        refusal(described, 404, { error: { code: 'NOT_FOUND', message: 'Resource docs not found' }, status: 404 }),
      ],
      fails: 'Index docs not found',
    },
    {
      it: 'names both lengths if vectors do not fit the index',
      versions,
      run: run('insert'),
      exchange: [{ ...described, response: { name: 'docs', dimension: 1536, host: HOST } }],
      fails: 'The index docs has vectors of 1536 numbers, not of 26',
    },
    {
      it: 'sends its key to no other host',
      versions,
      run: run('load', SEARCH),
      exchange: [{ ...described, response: { name: 'docs', dimension: 26, host: 'evil.example.com' } }],
      fails: 'evil.example.com',
    },
    {
      it: 'updates one string for each item',
      versions,
      run: run('update', { id: 'x' }, { items: [{ a: 'b', c: 'd' }] }),
      exchange: [],
      fails: 'has 2 strings; it must have exactly one',
    },
  ],
};
