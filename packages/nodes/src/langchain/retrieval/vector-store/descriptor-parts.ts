import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';

const INSERT: Conditions = { mode: ['insert'] };
const LOAD: Conditions = { mode: ['load'] };
const RETRIEVE: Conditions = { mode: ['retrieve'] };
const UPDATE: Conditions = { mode: ['update'] };
const AS_TOOL: Conditions = { mode: ['retrieve-as-tool'] };
const SEARCHES: Conditions = { mode: ['load', 'retrieve-as-tool'] };
const USES_RESULTS: Conditions = { mode: ['load', 'retrieve', 'retrieve-as-tool'] };

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
    {
      type: 'ai_reranker',
      label: 'reranker',
      required: true,
      max: 1,
      shownWhen: { ...USES_RESULTS, useReranker: [true] },
    },
  ],
};

/** Sentences on the differences that all vector stores have. */
export const STORE_DIFFERS = ['A search gives at most 1,000 documents. An insertion has at most 5,000.'];

/** Parameters that a store has besides those of all stores. */
interface OwnParameters {
  /** Those that say which store it is. */
  readonly own: readonly ParameterDescriptor[];
  /** Those of insertions alone, outside of the options. */
  readonly alsoOfInsert?: readonly ParameterDescriptor[];
  /** Options of insertions. */
  readonly ofInsert?: readonly ParameterDescriptor[];
  /** Options of searches. */
  readonly ofSearch?: readonly ParameterDescriptor[];
  /** Options of updates. */
  readonly ofUpdate?: readonly ParameterDescriptor[];
  /** True if documents can be updated. */
  readonly updates?: boolean;
}

/** Parameters of a vector store, in order. */
export const storeParameters = ({
  own,
  alsoOfInsert = [],
  ofInsert = [],
  ofSearch = [],
  ofUpdate = [],
  updates = false,
}: OwnParameters): readonly ParameterDescriptor[] => [
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
      ...(updates ? [choice('update', 'Update documents')] : []),
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
  ...alsoOfInsert.map((parameter) => ({ ...parameter, shownWhen: { ...parameter.shownWhen, ...INSERT } })),
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
    shownWhen: USES_RESULTS,
    help: 'Whether a reranker chooses and orders the results.',
  },
  ...(updates
    ? [
        {
          ...text('id', 'ID', '', { required: true }),
          shownWhen: UPDATE,
          help: 'Id of the document in the store. The item has exactly one string: its new text.',
        },
      ]
    : []),
  ...optionsFor(INSERT, ofInsert),
  ...optionsFor(USES_RESULTS, ofSearch),
  ...(updates ? optionsFor(UPDATE, ofUpdate) : []),
];

const optionsFor = (shownWhen: Conditions, fields: readonly ParameterDescriptor[]): readonly ParameterDescriptor[] =>
  fields.length === 0
    ? []
    : [
        {
          name: 'options',
          label: 'Options',
          type: 'collection',
          default: {},
          help: 'Additional options.',
          shownWhen,
          fields,
        },
      ];

/** A resource of a store, such as an index. */
export const storeResource = (name: string, label: string, help: string): ParameterDescriptor => ({
  name,
  label,
  type: 'resourceLocator',
  default: { __rl: true, mode: 'list', value: '' },
  required: true,
  help,
  modes: [
    { name: 'list', label: 'From list' },
    { name: 'id', label: 'ID' },
  ],
});

/** The option with values that metadata must have. */
export const METADATA_FILTER: ParameterDescriptor = {
  name: 'metadata',
  label: 'Metadata filter',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  help: 'Finds only documents whose metadata has these values.',
  groups: [
    {
      name: 'metadataValues',
      label: 'Fields',
      fields: [
        { ...text('name', 'Name'), help: 'Name of the field.' },
        { ...text('value', 'Value'), help: 'Value of the field.' },
      ],
    },
  ],
};
