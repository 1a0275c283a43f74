import type { CaseExchange, KindCases } from '../../../testing/cases/node-case';

const KEY = 'co-0123456789abcdef';
const node = { credentials: { cohereApi: { id: 'c1', name: 'Login' } } };
const documents = ['x', 'y', 'z'];
const asked = (response: unknown, status = 200): CaseExchange => ({
  expect: {
    method: 'POST',
    host: 'api.cohere.com',
    path: '/v1/rerank',
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: 'rerank-v3.5', query: 'q', documents, top_n: 2 },
  },
  response,
  status,
});
const run = { items: [{ query: 'q', documents }], node, credential: { apiKey: KEY }, parameters: { topN: 2 } };

export const rerankerCohereCases: KindCases = {
  kind: 'langchain.rerankerCohere',
  cases: [
    {
      it: 'keeps the most relevant documents, the most relevant first',
      versions: [1],
      run,
      exchange: [
        asked({
          results: [
            { index: 2, relevance_score: 0.9 },
            { index: 0, relevance_score: 0.1 },
          ],
        }),
      ],
      gives: [[{ ranked: ['z', 'x'], scores: [0.9, 0.1] }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'leaves out results that name no document, or one twice',
      versions: [1],
      run,
      exchange: [
        asked({ results: [{ index: 7 }, { index: 1, relevance_score: 1 }, { index: 1, relevance_score: 1 }, 'x'] }),
      ],
      gives: [[{ ranked: ['y'], scores: [1] }]],
    },
    {
      it: 'has the words of the service',
      versions: [1],
      run,
      exchange: [asked({ message: 'invalid api token' }, 401)],
      fails: 'Authorization failed',
    },
  ],
};
