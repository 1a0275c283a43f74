import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, options, text } from '../descriptors/build-parameters';

const DOCUMENT = { resource: ['document'] };
const INDEX = { resource: ['searchIndexes'] };
const CHANGES = ['findOneAndReplace', 'findOneAndUpdate', 'update'];
const QUERIES = ['aggregate', 'delete', 'find'];

const json = (
  name: string,
  label: string,
  initial: string,
  over: Partial<ParameterDescriptor>,
): ParameterDescriptor => ({ name, label, type: 'json', editor: 'json', default: initial, ...over });

/** Values of the placeholders in another parameter. */
const values = (name: string, label: string, over: Partial<ParameterDescriptor> = {}): ParameterDescriptor =>
  json(name, label, '=[]', {
    ...over,
    help: 'Array of the values of $1, $2 …, each a string, a number, a boolean, null or an array of these.',
  });

const query = (operation: string, initial: string, help: string): ParameterDescriptor =>
  json('query', 'Query', initial, {
    required: true,
    shownWhen: { ...DOCUMENT, operation: [operation] },
    help: `${help} $1, $2 … are placeholders where they are a whole string or name.`,
  });

const operations = (
  shownWhen: Readonly<Record<string, string[]>>,
  initial: string,
  choices: NonNullable<ParameterDescriptor['options']>,
): ParameterDescriptor => ({
  name: 'operation',
  label: 'Operation',
  type: 'options',
  default: initial,
  shownWhen,
  options: choices,
  help: 'The operation to perform.',
});

/** Reads and writes documents of a MongoDB server. */
export const mongoDb: KindDescriptor = {
  kind: 'mongoDb',
  label: 'MongoDB',
  description: 'Finds, inserts, changes and deletes documents of a MongoDB server, and manages search indexes.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [{ type: 'mongoDb', required: true }],
  differs: [
    'The operators $where, $function and $accumulator, which run JavaScript in the database, are rejected.',
    'Options of a connection string that read files or the environment of the machine, or set a proxy, are rejected.',
    'A query is limited to 5 minutes, 100,000 documents and 32 MiB.',
  ],
  parameters: [
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'document',
      options: [choice('searchIndexes', 'Search index'), choice('document', 'Document')],
      help: 'What to work on.',
    },
    operations(DOCUMENT, 'find', [
      choice('aggregate', 'Aggregate'),
      choice('delete', 'Delete'),
      choice('find', 'Find'),
      choice('findOneAndReplace', 'Find and replace'),
      choice('findOneAndUpdate', 'Find and update'),
      choice('insert', 'Insert'),
      choice('update', 'Update'),
    ]),
    operations(INDEX, 'createSearchIndex', [
      choice('createSearchIndex', 'Create'),
      choice('dropSearchIndex', 'Drop'),
      choice('listSearchIndexes', 'List'),
      choice('updateSearchIndex', 'Update'),
    ]),
    text('collection', 'Collection', '', { required: true, help: 'Name of the collection.' }),
    query('aggregate', '', 'JSON array with the stages of the pipeline.'),
    query('delete', '{}', 'JSON of the filter of the documents to delete.'),
    {
      ...options(
        ['find'],
        [
          { name: 'limit', label: 'Limit', type: 'number', default: 0, help: 'Number of documents; 0 for all.' },
          {
            name: 'skip',
            label: 'Skip',
            type: 'number',
            default: 0,
            help: 'Number of documents to skip at the start.',
          },
          json('sort', 'Sort', '{}', { help: 'JSON with 1 or -1 for each field to sort by.' }),
          values('sortParameters', 'Sort parameters'),
          json('projection', 'Projection', '{}', { help: 'JSON of the fields to include or exclude.' }),
          values('projectionParameters', 'Projection parameters'),
        ],
      ),
      shownWhen: { ...DOCUMENT, operation: ['find'] },
      help: 'Less common settings.',
    },
    query('find', '{}', 'JSON of the filter. A string as `_id` stands for an object id.'),
    values('queryParameters', 'Query parameters', { shownWhen: { ...DOCUMENT, operation: QUERIES } }),
    text('fields', 'Fields', '', {
      shownWhen: { ...DOCUMENT, operation: ['insert'] },
      help: 'Comma-separated fields of the item that make up the document.',
      placeholder: 'id, name',
    }),
    text('updateKey', 'Update key', 'id', {
      required: true,
      shownWhen: { ...DOCUMENT, operation: CHANGES },
      help: 'Field whose value selects the document; `_id` has the hexadecimal form of an object id.',
    }),
    text('fields', 'Fields', '', {
      shownWhen: { ...DOCUMENT, operation: CHANGES },
      help: 'Comma-separated fields of the item to write.',
      placeholder: 'id, name',
    }),
    {
      ...flag('upsert', 'Upsert'),
      shownWhen: { ...DOCUMENT, operation: CHANGES },
      help: 'Whether to insert a document if none is found.',
    },
    {
      ...options(
        [],
        [
          text('dateFields', 'Date fields', '', {
            help: 'Comma-separated fields to write as dates.',
            placeholder: 'createdAt, updatedAt',
          }),
          {
            ...flag('useDotNotation', 'Use dot notation'),
            help: 'Whether dots in field names lead into objects.',
          },
        ],
      ),
      shownWhen: { ...DOCUMENT, operation: [...CHANGES, 'insert'] },
      help: 'Less common settings.',
    },
    text('indexName', 'Index name', '', {
      shownWhen: { ...INDEX, operation: ['listSearchIndexes'] },
      help: 'Name of the only index to list. Default: all.',
    }),
    text('indexNameRequired', 'Index name', '', {
      required: true,
      shownWhen: { ...INDEX, operation: ['createSearchIndex', 'dropSearchIndex', 'updateSearchIndex'] },
      help: 'Name of the index.',
    }),
    json('indexDefinition', 'Index definition', '{}', {
      required: true,
      shownWhen: { ...INDEX, operation: ['createSearchIndex', 'updateSearchIndex'] },
      help: 'JSON of the definition. $1, $2 … are placeholders for the parameters.',
    }),
    values('indexDefinitionParameters', 'Index definition parameters', {
      shownWhen: { ...INDEX, operation: ['createSearchIndex', 'updateSearchIndex'] },
    }),
    {
      name: 'indexType',
      label: 'Index type',
      type: 'options',
      default: 'vectorSearch',
      required: true,
      shownWhen: { ...INDEX, operation: ['createSearchIndex'] },
      options: [choice('vectorSearch', 'Vector search'), choice('search', 'Search')],
      help: 'Type of the index.',
    },
  ],
};
