import type { KindDescriptor } from '@weft/node-catalogue';
import { DESCRIPTION, nameParameter, TOOL } from '../descriptor-parameters';

/** Answers questions of a model from documents. */
export const toolVectorStore: KindDescriptor = {
  ...TOOL,
  kind: 'langchain.toolVectorStore',
  label: 'Vector Store Question Answer Tool',
  description: 'Lets a model ask questions, which another model answers from the documents of a vector store.',
  versions: [1, 1.1],
  accepts: [
    { type: 'ai_vectorStore', label: 'vector store', required: true, max: 1 },
    { type: 'ai_languageModel', label: 'model', required: true, max: 1 },
  ],
  differs: ['The prompt to the model that answers is another one.', 'At most 100 documents are read.'],
  parameters: [
    nameParameter(1),
    { ...DESCRIPTION, help: 'Tells the model what the documents are about.' },
    {
      name: 'topK',
      label: 'Limit',
      type: 'number',
      default: 4,
      help: 'Number of documents that the answer is made from, the closest first; at most 100.',
    },
  ],
};
