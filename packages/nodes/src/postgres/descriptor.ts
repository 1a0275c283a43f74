import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import {
  batching,
  columnToMatchOn,
  deleteCommand,
  largeNumbers,
  listedColumns,
  outputColumns,
  queryReplacement,
  replaceEmptyStrings,
  selectParameters,
  whereParameters,
} from '../descriptors/sql-parameters';

const V1 = { until: 1 };
const V2 = { since: 2 };
const OLDER = { since: 2, until: 2.1 };
const QUERY = text('query', 'Query', '', {
  required: true,
  shownWhen: { operation: ['executeQuery'] },
  help: 'SQL. Expressions in it become part of its text; use query parameters ($1) for values.',
  editor: 'sql',
  placeholder: 'SELECT id, name FROM customers WHERE id = $1',
});
const chosen = (
  name: string,
  label: string,
  initial: string,
  operation: string[],
  help: string,
): ParameterDescriptor => ({
  name,
  label,
  type: 'json',
  default: { mode: 'list', value: initial },
  required: true,
  ...V2,
  shownWhen: { operation },
  help,
});
const TABLE_OPERATIONS = ['deleteTable', 'insert', 'select', 'update', 'upsert'];

const FIRST: readonly ParameterDescriptor[] = [
  {
    name: 'operation',
    label: 'Operation',
    type: 'options',
    default: 'insert',
    ...V1,
    options: [choice('executeQuery', 'Execute query'), choice('insert', 'Insert'), choice('update', 'Update')],
    help: 'The operation to perform.',
  },
  text('schema', 'Schema', 'public', {
    ...V1,
    shownWhen: { operation: ['insert', 'update'] },
    help: 'Schema of the table.',
  }),
  text('table', 'Table', '', {
    ...V1,
    required: true,
    shownWhen: { operation: ['insert', 'update'] },
    help: 'Name of the table.',
  }),
  text('updateKey', 'Update key', 'id', {
    ...V1,
    required: true,
    shownWhen: { operation: ['update'] },
    help: 'Comma-separated fields that select rows.',
  }),
  text('columns', 'Columns', '', {
    ...V1,
    shownWhen: { operation: ['insert', 'update'] },
    help: 'Comma-separated fields of the item to write; `id:int` casts the value to a type.',
    placeholder: 'id, name',
  }),
  text('returnFields', 'Return fields', '*', {
    ...V1,
    shownWhen: { operation: ['insert', 'update'] },
    help: 'Comma-separated columns of the output.',
    placeholder: 'id, name',
  }),
  {
    name: 'additionalFields',
    label: 'Additional fields',
    type: 'collection',
    default: {},
    ...V1,
    help: 'Less common settings.',
    fields: [
      {
        name: 'mode',
        label: 'Mode',
        type: 'options',
        default: 'multiple',
        options: [
          choice('independently', 'Independently'),
          choice('multiple', 'Multiple queries'),
          choice('transaction', 'Transaction'),
        ],
      },
      largeNumbers(),
      text('queryParams', 'Query parameters', '', {
        shownWhen: { '/operation': ['executeQuery'] },
        help: 'Comma-separated fields of the item that are the values of $1, $2 …',
      }),
    ],
  },
];

const OPTIONS: ParameterDescriptor = {
  name: 'options',
  label: 'Options',
  type: 'collection',
  default: {},
  ...V2,
  help: 'Less common settings.',
  fields: [
    {
      ...flag('cascade', 'Cascade'),
      shownWhen: { '/operation': ['deleteTable'] },
      hiddenWhen: { '/deleteCommand': ['delete'] },
      help: 'Drops or empties dependent objects as well.',
    },
    {
      name: 'connectionTimeout',
      label: 'Connection timeout',
      type: 'number',
      default: 30,
      help: 'Timeout of connection and login in seconds; at most 60.',
    },
    {
      name: 'delayClosingIdleConnection',
      label: 'Delay closing idle connection',
      type: 'number',
      default: 0,
      help: 'Has no effect: connections are closed at the end of the node.',
    },
    batching,
    queryReplacement,
    {
      ...flag('treatQueryParametersInSingleQuotesAsText', 'Treat query parameters in single quotes as text'),
      help: 'Has no effect: placeholders in quotes are always text.',
    },
    outputColumns(['select', 'insert', 'update', 'upsert']),
    largeNumbers(),
    { ...flag('skipOnConflict', 'Skip on conflict'), shownWhen: { '/operation': ['insert'] } },
    replaceEmptyStrings,
  ],
};

/** Runs queries on a PostgreSQL server, and reads and writes rows of its tables. */
export const postgres: KindDescriptor = {
  kind: 'postgres',
  label: 'Postgres',
  description: 'Runs queries on a PostgreSQL server, and reads and writes rows of its tables.',
  versions: [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7],
  groups: ['input', 'output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: { since: 2 },
  credentials: [{ type: 'postgres', required: true }],
  differs: [
    'Query parameters are bound by the server and never become part of the query. Therefore they have the type of ' +
      'their position (add a cast, as in $1::int, where there is none), placeholders in quotes are text, and $1:raw, ' +
      '$1^, $1:value and $1# are rejected.',
    'SSH tunnels are not supported.',
    'A query is limited to 5 minutes, 100,000 rows and 32 MiB.',
  ],
  parameters: [
    ...FIRST,
    text('resource', 'Resource', 'database', { ...V2, help: 'Always `database`.' }),
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'insert',
      ...V2,
      options: [
        choice('deleteTable', 'Delete table or rows'),
        choice('executeQuery', 'Execute query'),
        choice('insert', 'Insert rows'),
        choice('upsert', 'Insert or update rows'),
        choice('select', 'Select rows'),
        choice('update', 'Update rows'),
      ],
      help: 'The operation to perform. Each item is one query.',
    },
    QUERY,
    chosen('schema', 'Schema', 'public', TABLE_OPERATIONS, 'Schema of the table: a string, or `{ mode, value }`.'),
    chosen('table', 'Table', '', TABLE_OPERATIONS, 'The table: a string, or `{ mode, value }`.'),
    ...listedColumns(['insert', 'update', 'upsert'], OLDER),
    ...columnToMatchOn(OLDER),
    {
      name: 'columns',
      label: 'Columns',
      type: 'json',
      default: { mappingMode: 'defineBelow', value: null },
      since: 2.2,
      shownWhen: { operation: ['insert', 'update', 'upsert'] },
      help:
        'Values by column under `value`, and the columns that select rows in the array `matchingColumns`. With ' +
        '`mappingMode` autoMapInputData the fields of the item are the values.',
      placeholder: 'id, name',
    },
    deleteCommand,
    {
      ...flag('restartSequences', 'Restart sequences'),
      ...V2,
      shownWhen: { operation: ['deleteTable'], deleteCommand: ['truncate'] },
      help: 'Whether to restart identity columns.',
    },
    ...selectParameters,
    ...whereParameters({ operation: ['deleteTable'], deleteCommand: ['delete'] }),
    OPTIONS,
  ],
};
