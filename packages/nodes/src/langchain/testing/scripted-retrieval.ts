import type { FoundDocument, NodeExecutor } from '@weft/engine';

/** Types of connection that the scripted sub-node provides. */
export const SCRIPTED_RETRIEVAL = ['ai_vectorStore', 'ai_retriever', 'ai_reranker'] as const;

const documents = (query: string, count: number): FoundDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    pageContent: `${index + 1} about ${query}`,
    metadata: { number: index + 1 },
    score: 1 - index / 10,
  }));

/** A sub-node that finds numbered documents, two as a retriever, and reranks by turning the order round. */
export const scriptedRetrieval: Omit<NodeExecutor, 'kind'> = {
  actsOutside: false,
  run: () => ({ kind: 'items', outputs: [] }),
  supplies: {
    ai_vectorStore: () => ({ search: (query, limit) => Promise.resolve(documents(query, limit)) }),
    ai_retriever: () => ({ retrieve: (query) => Promise.resolve(documents(query, 2)) }),
    ai_reranker: () => ({
      rerank: (_query, given) =>
        Promise.resolve(given.toReversed().map((one, index) => ({ ...one, score: 1 - index / 2 }))),
    }),
  },
};
