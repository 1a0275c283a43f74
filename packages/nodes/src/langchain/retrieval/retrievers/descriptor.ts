import type { KindDescriptor } from '@weft/node-catalogue';

export const retrieverVectorStore: KindDescriptor = {
  kind: 'langchain.retrieverVectorStore',
  label: 'Vector Store Retriever',
  description: 'Finds documents of a vector store for a chain.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_retriever' }],
  accepts: [{ type: 'ai_vectorStore', label: 'vector store', required: true, max: 1 }],
  credentials: [],
  differs: ['At most 1,000 documents are found.'],
  parameters: [
    { name: 'topK', label: 'Limit', type: 'number', default: 4, help: 'Number of documents, the closest first.' },
  ],
};
