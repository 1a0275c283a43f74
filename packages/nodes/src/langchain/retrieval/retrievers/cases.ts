import type { KindCases } from '../../../testing/cases/node-case';

export const retrieverVectorStoreCases: KindCases = {
  kind: 'langchain.retrieverVectorStore',
  cases: [
    {
      it: 'finds as many documents as its limit says',
      versions: [1],
      run: { items: [{ query: 'a' }, { query: 'b' }], finds: ['ai_vectorStore'], parameters: { topK: 1 } },
      gives: [[{ found: ['1 about a'] }, { found: ['1 about b'] }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'needs a limit of at least 1',
      versions: [1],
      run: { items: [{ query: 'a' }], finds: ['ai_vectorStore'], parameters: { topK: 0 } },
      fails: '"Limit" of "Sub-node" must be at least 1',
    },
  ],
};
