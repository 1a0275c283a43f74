import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../../../descriptors/build-parameters';

export const rerankerCohere: KindDescriptor = {
  kind: 'langchain.rerankerCohere',
  label: 'Reranker Cohere',
  description: 'Orders the documents that a vector store has found by their relevance, with Cohere.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_reranker' }],
  credentials: [{ type: 'cohereApi', required: true }],
  differs: ['Requests count towards `MODEL_CALLS`.'],
  parameters: [
    {
      name: 'modelName',
      label: 'Model',
      type: 'options',
      default: 'rerank-v3.5',
      help: 'Name of the model at the service.',
      options: ['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0'].map((name) => choice(name, name)),
    },
    {
      name: 'topN',
      label: 'Top N',
      type: 'number',
      default: 3,
      help: 'Number of documents to keep, the most relevant first.',
    },
  ],
};
