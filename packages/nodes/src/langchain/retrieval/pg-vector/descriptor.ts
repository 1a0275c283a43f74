import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { METADATA_FILTER, STORE_DIFFERS, storeParameters, VECTOR_STORE } from '../vector-store/descriptor-parts';
import { COLLECTION, COLUMNS, DEFAULT_TABLE } from './descriptor-names';

const NAME = { required: true } as const;

const COLLECTION_OPTION: ParameterDescriptor = {
  name: 'collection',
  label: 'Collection',
  type: 'fixedCollection',
  default: { values: { useCollection: false, collectionName: COLLECTION.name, collectionTableName: COLLECTION.table } },
  help: 'Part of the table, by a name in another table.',
  groups: [
    {
      name: 'values',
      label: 'Collection settings',
      fields: [
        { ...flag('useCollection', 'Use collection'), help: 'Whether the node uses only rows of one collection.' },
        {
          ...text('collectionName', 'Collection name', COLLECTION.name, NAME),
          shownWhen: { useCollection: [true] },
          help: 'Name of the collection. An insertion creates it.',
        },
        {
          ...text('collectionTableName', 'Collection table name', COLLECTION.table, NAME),
          shownWhen: { useCollection: [true] },
          help: 'Table with the names of collections. An insertion creates it.',
        },
      ],
    },
  ],
};

const COLUMN_NAMES: ParameterDescriptor = {
  name: 'columnNames',
  label: 'Column names',
  type: 'fixedCollection',
  default: {
    values: {
      idColumnName: COLUMNS.id,
      vectorColumnName: COLUMNS.vector,
      contentColumnName: COLUMNS.content,
      metadataColumnName: COLUMNS.metadata,
    },
  },
  help: 'Names of the columns of the table.',
  groups: [
    {
      name: 'values',
      label: 'Column name settings',
      fields: [
        { ...text('idColumnName', 'ID column', COLUMNS.id, NAME), help: 'Column with the ids.' },
        { ...text('vectorColumnName', 'Vector column', COLUMNS.vector, NAME), help: 'Column with the vectors.' },
        {
          ...text('contentColumnName', 'Content column', COLUMNS.content, NAME),
          help: 'Column with the text of documents.',
        },
        { ...text('metadataColumnName', 'Metadata column', COLUMNS.metadata, NAME), help: 'Column with JSON.' },
      ],
    },
  ],
};

export const vectorStorePGVector: KindDescriptor = {
  ...VECTOR_STORE,
  kind: 'langchain.vectorStorePGVector',
  label: 'Postgres PGVector Store',
  description: 'Stores documents in a table of PostgreSQL with pgvector, and finds them by their meaning.',
  credentials: [{ type: 'postgres', required: true }],
  differs: [
    ...STORE_DIFFERS,
    'An insertion is one transaction: all of its documents are stored, or none.',
    'A search in a table that does not exist fails, and does not create it.',
    'Metadata filters compare values for equality.',
  ],
  parameters: storeParameters({
    own: [{ ...text('tableName', 'Table', DEFAULT_TABLE), help: 'An insertion creates it if it does not exist.' }],
    ofInsert: [COLLECTION_OPTION, COLUMN_NAMES],
    ofSearch: [
      {
        name: 'distanceStrategy',
        label: 'Distance strategy',
        type: 'options',
        default: 'cosine',
        help: 'The distance between vectors, which is the score: the lower the closer.',
        options: [
          choice('cosine', 'Cosine'),
          choice('innerProduct', 'Inner product'),
          choice('euclidean', 'Euclidean'),
        ],
      },
      COLLECTION_OPTION,
      COLUMN_NAMES,
      METADATA_FILTER,
    ],
  }),
};
