import type { CaseExchange, KindCases } from '../../../testing/cases/node-case';
import { AS_TOOL, FIRST_METADATA, refusal, SEARCH, STORE_VERSIONS, storeRun, VECTOR_OF_A } from '../testing/store-case';

const versions = STORE_VERSIONS;
const KEY = 'sb-0123456789abcdef';
const host = 'project.supabase.co';
const headers = { apikey: KEY, authorization: `Bearer ${KEY}` };
const COLUMNS = '%22content%22%2C%22embedding%22%2C%22metadata%22';

const run = storeRun(
  'supabaseApi',
  { host: `https://${host}`, serviceRole: KEY },
  { tableName: { __rl: true, mode: 'list', value: 'documents' } },
);

const upserted = (columns: string, body: string): CaseExchange => ({
  expect: {
    method: 'POST',
    host,
    path: `/rest/v1/documents?columns=${columns}`,
    headers: { ...headers, prefer: 'resolution=merge-duplicates,return=minimal' },
    body,
  },
  status: 201,
  response: '',
});
const searched = (query: string, ...body: readonly string[]): CaseExchange => ({
  expect: {
    method: 'POST',
    host,
    path: `/rest/v1/rpc/${query}`,
    headers,
    body: ['"match_count":2', `"query_embedding":${VECTOR_OF_A}`, ...body],
  },
  response: [
    { id: 1, content: 'aa', metadata: { page: 1 }, similarity: 0.9 },
    { id: 2, content: 'ab', metadata: {}, similarity: 0.5 },
  ],
});

export const vectorStoreSupabaseCases: KindCases = {
  kind: 'langchain.vectorStoreSupabase',
  cases: [
    {
      it: 'stores the documents of its items',
      versions,
      run: run('insert'),
      exchange: [upserted(COLUMNS, `[{"content":"a","embedding":${VECTOR_OF_A}`)],
      gives: [[{ pageContent: 'a', metadata: FIRST_METADATA }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'finds the closest documents',
      versions,
      run: run('load', { ...SEARCH, options: { metadata: { metadataValues: [{ name: 'page', value: '1' }] } } }),
      exchange: [searched('match_documents', '"filter":{"page":"1"}')],
      gives: [
        [
          { document: { pageContent: 'aa', metadata: { page: 1 } }, score: 0.9 },
          { document: { pageContent: 'ab', metadata: {} }, score: 0.5 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'gives documents to a model',
      versions,
      run: run('retrieve-as-tool', ...AS_TOOL),
      exchange: [searched('match_documents', '"filter":{}')],
      gives: [
        [
          {
            response: [
              { type: 'text', text: '{"pageContent":"aa","metadata":{"page":1}}' },
              { type: 'text', text: '{"pageContent":"ab","metadata":{}}' },
            ],
          },
        ],
      ],
    },
    {
      it: 'gives documents to another node, by the function of its option',
      versions,
      run: run('retrieve', { options: { queryName: 'find_docs' } }),
      exchange: [searched('find_docs', '"filter":{}')],
      gives: [[{ found: ['aa', 'ab'] }]],
    },
    {
      it: 'replaces a row by its id',
      versions,
      run: run('update', { id: '7' }),
      exchange: [upserted(`%22id%22%2C${COLUMNS}`, `[{"id":"7","content":"a","embedding":${VECTOR_OF_A}`)],
      gives: [[{ pageContent: 'a', metadata: { source: 'blob', blobType: 'application/json', line: 1 } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'names a table that does not exist',
      versions,
      run: run('insert'),
      exchange: [
        refusal({ expect: { method: 'POST', host }, response: {} }, 404, {
          code: 'PGRST205',
          message: "Could not find the table 'public.documents' in the schema cache",
        }),
      ],
      fails: 'Table documents not found',
    },
    {
      it: 'has the words of the database on vectors of another length',
      versions,
      run: run('insert'),
      exchange: [
        refusal({ expect: { method: 'POST', host }, response: {} }, 400, {
          code: '22000',
          message: 'expected 1536 dimensions, not 26',
          details: null,
        }),
      ],
      fails: 'expected 1536 dimensions, not 26',
    },
    {
      it: 'names a function that does not exist',
      versions,
      run: run('load', SEARCH),
      exchange: [
        refusal(searched('match_documents'), 404, { code: 'PGRST202', message: 'Could not find the function' }),
      ],
      fails: 'Function match_documents not found, or it has other arguments',
    },
    {
      it: 'needs an address',
      versions,
      run: run('load', SEARCH, { credential: { host: 'project', serviceRole: KEY } }),
      exchange: [],
      fails: 'The credential has no valid address in "host"',
    },
  ],
};
