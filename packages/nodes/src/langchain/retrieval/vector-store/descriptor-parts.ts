import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';

const INSERT: Conditions = { mode: ['insert'] };
const LOAD: Conditions = { mode: ['load'] };
const RETRIEVE: Conditions = { mode: ['retrieve'] };
const AS_TOOL: Conditions = { mode: ['retrieve-as-tool'] };
const SEARCHES: Conditions = { mode: ['load', 'retrieve-as-tool'] };

/** Fields of the descriptors of all vector stores: a node, a tool or a sub-node, by its mode. */
export const VECTOR_STORE: Pick<
  KindDescriptor,
  'versions' | 'groups' | 'isTrigger' | 'inputs' | 'outputs' | 'ports' | 'provides' | 'accepts'
> = {
  versions: [1, 1.1, 1.2, 1.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  ports: [{ inputs: [], outputs: [], shownWhen: { mode: ['retrieve', 'retrieve-as-tool'] } }],
  provides: [
    { type: 'ai_vectorStore', shownWhen: RETRIEVE },
    { type: 'ai_tool', shownWhen: AS_TOOL },
  ],
  accepts: [
    { type: 'ai_embedding', label: 'embedding', required: true, max: 1 },
    { type: 'ai_document', label: 'document', required: true, max: 1, shownWhen: INSERT },
  ],
};

/** Sentences on the differences that all vector stores have. */
export const STORE_DIFFERS = ['A search gives at most 1,000 documents. An insertion has at most 5,000.'];

/**
 * Parameters of all vector stores, in order.
 * @param own those that say which store it is
 * @param ofInsert those of insertions alone
 */
export const storeParameters = (
  own: readonly ParameterDescriptor[],
  ofInsert: readonly ParameterDescriptor[],
): readonly ParameterDescriptor[] => [
  {
    name: 'mode',
    label: 'Operation mode',
    type: 'options',
    default: 'retrieve',
    fixed: true,
    help: 'Whether the node stores or finds documents itself, or other nodes use it.',
    options: [
      choice('load', 'Get many'),
      choice('insert', 'Insert documents'),
      choice('retrieve', 'Retrieve documents, as a vector store'),
      choice('retrieve-as-tool', 'Retrieve documents, as a tool'),
    ],
  },
  {
    ...text('toolName', 'Name'),
    until: 1.2,
    shownWhen: AS_TOOL,
    help: 'Name of the function that the model calls: letters, digits and underscores.',
  },
  {
    ...text('toolDescription', 'Description', '', { editor: 'multiline' }),
    shownWhen: AS_TOOL,
    help: 'Tells the model what the documents are about and when to search them.',
  },
  ...own,
  {
    name: 'embeddingBatchSize',
    label: 'Embedding batch size',
    type: 'number',
    default: 200,
    since: 1.1,
    shownWhen: INSERT,
    help: 'Has no effect: the embedding node has the size of its requests.',
  },
  ...ofInsert.map((parameter) => ({ ...parameter, shownWhen: { ...parameter.shownWhen, ...INSERT } })),
  {
    ...text('prompt', 'Prompt', '', { required: true, editor: 'multiline' }),
    shownWhen: LOAD,
    help: 'The text whose meaning the documents have. Evaluated for each item.',
  },
  {
    name: 'topK',
    label: 'Limit',
    type: 'number',
    default: 4,
    shownWhen: SEARCHES,
    help: 'Number of documents, the closest first; at most 1,000.',
  },
  {
    ...flag('includeDocumentMetadata', 'Include metadata', true),
    shownWhen: SEARCHES,
    help: 'Whether documents have their metadata.',
  },
  {
    ...flag('useReranker', 'Rerank results'),
    shownWhen: { mode: ['load', 'retrieve', 'retrieve-as-tool'] },
    help: 'Whether another model orders the results.',
    refused: 'Rerankers are not supported. Turn the option off: results are in the order of their similarity.',
  },
];
