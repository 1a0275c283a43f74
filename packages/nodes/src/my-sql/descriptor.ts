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
const READS = { '/operation': ['select', 'executeQuery'] };
const chosenTable = (
  operation: string[],
  range: { readonly since?: number; readonly until?: number },
): ParameterDescriptor => ({
  name: 'table',
  label: 'Table',
  type: 'json',
  default: { mode: 'list', value: '' },
  required: true,
  ...range,
  shownWhen: { operation },
  help: 'The table: a string, or `{ mode, value }`. Dots separate the names of database and table.',
});
const PRIORITY: ParameterDescriptor = {
  name: 'priority',
  label: 'Priority',
  type: 'options',
  shownWhen: { '/operation': ['insert'] },
  options: [choice('LOW_PRIORITY', 'Low priority'), choice('HIGH_PRIORITY', 'High priority')],
};

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
  chosenTable(['insert', 'update'], V1),
  text('updateKey', 'Update key', 'id', {
    ...V1,
    required: true,
    shownWhen: { operation: ['update'] },
    help: 'Field that selects rows.',
  }),
  text('columns', 'Columns', '', {
    ...V1,
    shownWhen: { operation: ['insert', 'update'] },
    help: 'Comma-separated fields of the item to write.',
    placeholder: 'id, name',
  }),
  {
    name: 'options',
    label: 'Options',
    type: 'collection',
    default: {},
    ...V1,
    shownWhen: { operation: ['insert', 'executeQuery'] },
    help: 'Less common settings.',
    fields: [
      queryReplacement,
      { ...flag('ignore', 'Ignore'), shownWhen: { '/operation': ['insert'] }, help: 'Skips rows that fail.' },
      PRIORITY,
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
      name: 'connectionTimeoutMillis',
      label: 'Connection timeout',
      type: 'number',
      default: 30,
      help: 'Has no effect: the credential has the connection timeout.',
    },
    {
      name: 'connectionLimit',
      label: 'Connections limit',
      type: 'number',
      default: 10,
      help: 'Has no effect: a node uses one connection.',
    },
    batching,
    queryReplacement,
    outputColumns(['select']),
    largeNumbers({ default: 'numbers', shownWhen: READS }),
    { ...flag('decimalNumbers', 'Output decimals as numbers'), shownWhen: READS },
    PRIORITY,
    replaceEmptyStrings,
    { ...flag('selectDistinct', 'Select distinct'), shownWhen: { '/operation': ['select'] } },
    {
      ...flag('detailedOutput', 'Output query execution details'),
      help: "Outputs each statement with the server's response.",
    },
    { ...flag('skipOnConflict', 'Skip on conflict'), shownWhen: { '/operation': ['insert'] } },
  ],
};

/** Runs queries on a MySQL or MariaDB server, and reads and writes rows of its tables. */
export const mySql: KindDescriptor = {
  kind: 'mySql',
  label: 'MySQL',
  description: 'Runs queries on a MySQL or MariaDB server, and reads and writes rows of its tables.',
  versions: [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5],
  groups: ['input', 'output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: { since: 2 },
  credentials: [{ type: 'mySql', required: true }],
  differs: [
    'Query parameters are bound by the server and never become part of the query; placeholders in quotes are text.',
    'A failed item outputs its message and error without the query.',
    'SSH tunnels are not supported. With SSL and no CA certificate, the certificate must be valid for the host.',
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
        choice('executeQuery', 'Execute SQL'),
        choice('insert', 'Insert rows'),
        choice('upsert', 'Insert or update rows'),
        choice('select', 'Select rows'),
        choice('update', 'Update rows'),
      ],
      help: 'The operation to perform.',
    },
    text('query', 'Query', '', {
      required: true,
      shownWhen: { operation: ['executeQuery'] },
      help: 'SQL. Expressions in it become part of its text; use query parameters ($1) for values.',
      editor: 'sql',
      placeholder: 'SELECT id, name FROM customers WHERE id = $1',
    }),
    chosenTable(['deleteTable', 'insert', 'select', 'update', 'upsert'], V2),
    ...listedColumns(['insert', 'update', 'upsert'], V2),
    ...columnToMatchOn(V2),
    deleteCommand,
    ...selectParameters,
    ...whereParameters({ operation: ['deleteTable'], deleteCommand: ['delete'] }),
    OPTIONS,
  ],
};
