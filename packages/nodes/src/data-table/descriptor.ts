import type { Conditions, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  options: 'Additional options.',
  filters: 'Conditions that select rows.',
  resource: 'Whether to work on rows or on tables.',
  operation: 'The operation to perform. Row operations run once for each item.',
  dataTableId:
    'The table: an object with `mode` (id, name or list) and `value`, or its id as a string. A table selected ' +
    'from a list in another instance is resolved by name.',
  matchType: 'Whether rows must match any or all conditions.',
  'filters.conditions.keyName': 'A column, or id, createdAt, updatedAt.',
  'filters.conditions.condition':
    'Comparison operator. `like` and `ilike` use % as a wildcard; without % they match anywhere in the value.',
  'filters.conditions.keyValue': 'Value to compare with.',
  columns:
    'Column values under `value`. With `mappingMode` autoMapInputData all fields of the item, each of which ' +
    'must be a column.',
  returnAll: 'Whether to return all matching rows.',
  limit: 'Maximum number of results if not all are returned.',
  orderBy: 'Whether to order the rows by a column. Default: insertion order.',
  orderByColumn: 'Column to order by.',
  orderByDirection: 'Sort direction.',
  'options.optimizeBulk': 'Returns the number of rows instead of the rows.',
  'options.dryRun': 'Changes nothing, and returns every affected row twice: before and after the change.',
  tableName: 'Unique name of the new table.',
  newName: 'New name of the table.',
  'columns.column.name': 'A letter, followed by letters, digits and underscores.',
  'columns.column.type': 'Type of the column.',
  'options.createIfNotExists': 'Returns the existing table of that name instead of failing.',
  'options.filterName': 'Returns only tables whose name contains this string.',
  'options.sortField': 'Field to order the tables by.',
  'options.sortDirection': 'Sort direction.',
} as const;

const ROW = { resource: ['row'] };
const onRows = (...operation: string[]): { readonly shownWhen: Conditions } => ({ shownWhen: { ...ROW, operation } });
const onTables = (...operation: string[]): { readonly shownWhen: Conditions } => ({
  shownWhen: { resource: ['table'], operation },
});
const DIRECTIONS = [
  { value: 'ASC', label: 'Ascending' },
  { value: 'DESC', label: 'Descending' },
];
const DRY_RUN: ParameterDescriptor = {
  name: 'dryRun',
  label: 'Dry run',
  type: 'boolean',
  default: false,
};

const CONDITIONS = [
  ['eq', 'Equals'],
  ['neq', 'Does not equal'],
  ['gt', 'Is greater than'],
  ['gte', 'Is at least'],
  ['lt', 'Is less than'],
  ['lte', 'Is at most'],
  ['like', 'Contains (like)'],
  ['ilike', 'Contains, ignoring case (ilike)'],
  ['isEmpty', 'Is empty'],
  ['isNotEmpty', 'Is not empty'],
  ['isTrue', 'Is true'],
  ['isFalse', 'Is false'],
].map(([value = '', label = '']) => ({ value, label }));

/** Reads and writes the rows of data tables, and the tables themselves. */
export const dataTable: KindDescriptor = {
  kind: 'dataTable',
  label: 'Data table',
  description:
    'Reads and writes rows of data tables, which all workflows share, and creates, lists, renames and deletes ' +
    'tables.',
  versions: [1, 1.1],
  groups: ['input', 'output', 'transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [],
  differs: [
    'Tables belong to the instance, not to a project. A table selected from a list in another instance is ' +
      'resolved by name.',
    'One operation changes or deletes at most 5,000 rows.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'row',
      options: [
        { value: 'row', label: 'Row' },
        { value: 'table', label: 'Table' },
      ],
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'insert',
      shownWhen: ROW,
      options: [
        { value: 'insert', label: 'Insert row' },
        { value: 'get', label: 'Get row(s)' },
        { value: 'rowExists', label: 'If row exists' },
        { value: 'rowNotExists', label: 'If row does not exist' },
        { value: 'update', label: 'Update row(s)' },
        { value: 'upsert', label: 'Upsert row(s)' },
        { value: 'deleteRows', label: 'Delete row(s)' },
      ],
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'list',
      shownWhen: { resource: ['table'] },
      options: [
        { value: 'create', label: 'Create a data table' },
        { value: 'list', label: 'List data tables' },
        { value: 'update', label: 'Rename a data table' },
        { value: 'clear', label: 'Delete all rows of a data table' },
        { value: 'delete', label: 'Delete a data table' },
      ],
    },
    {
      name: 'dataTableId',
      label: 'Data table',
      type: 'json',
      default: '',
      required: true,
      shownWhen: ROW,
      reference: 'dataTable',
    },
    {
      name: 'dataTableId',
      label: 'Data table',
      type: 'json',
      default: '',
      required: true,
      ...onTables('update', 'clear', 'delete'),
      reference: 'dataTable',
    },
    {
      name: 'matchType',
      label: 'Must match',
      type: 'options',
      default: 'anyCondition',
      ...onRows('get', 'rowExists', 'rowNotExists', 'update', 'upsert', 'deleteRows'),
      options: [
        { value: 'anyCondition', label: 'Any condition' },
        { value: 'allConditions', label: 'All conditions' },
      ],
    },
    {
      name: 'filters',
      label: 'Conditions',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      ...onRows('get', 'rowExists', 'rowNotExists', 'update', 'upsert', 'deleteRows'),
      groups: [
        {
          name: 'conditions',
          label: 'Condition',
          fields: [
            { name: 'keyName', label: 'Column', type: 'string', default: 'id' },
            { name: 'condition', label: 'Condition', type: 'options', default: 'eq', options: CONDITIONS },
            { name: 'keyValue', label: 'Value', type: 'string', default: '' },
          ],
        },
      ],
    },
    {
      name: 'columns',
      label: 'Values',
      type: 'json',
      default: { mappingMode: 'defineBelow', value: {} },
      ...onRows('insert', 'update', 'upsert'),
    },
    { name: 'returnAll', label: 'Return all', type: 'boolean', default: false, ...onRows('get') },
    {
      name: 'limit',
      label: 'Limit',
      type: 'number',
      default: 50,
      shownWhen: { ...ROW, operation: ['get'], returnAll: [false] },
    },
    { name: 'orderBy', label: 'Order by', type: 'boolean', default: false, ...onRows('get') },
    {
      name: 'orderByColumn',
      label: 'Order by',
      type: 'string',
      default: 'createdAt',
      shownWhen: { ...ROW, operation: ['get'], orderBy: [true] },
    },
    {
      name: 'orderByDirection',
      label: 'Direction',
      type: 'options',
      default: 'DESC',
      options: DIRECTIONS,
      shownWhen: { ...ROW, operation: ['get'], orderBy: [true] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...onRows('insert'),
      fields: [{ name: 'optimizeBulk', label: 'Return count only', type: 'boolean', default: false }],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...onRows('update', 'upsert', 'deleteRows'),
      fields: [DRY_RUN],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...onRows('get', 'rowExists', 'rowNotExists'),
      fields: [],
    },
    { name: 'tableName', label: 'Name', type: 'string', default: '', required: true, ...onTables('create') },
    {
      name: 'columns',
      label: 'Columns',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      ...onTables('create'),
      groups: [
        {
          name: 'column',
          label: 'Column',
          fields: [
            { name: 'name', label: 'Name', type: 'string', default: '' },
            {
              name: 'type',
              label: 'Type',
              type: 'options',
              default: 'string',
              options: ['string', 'number', 'boolean', 'date'].map((type) => ({ value: type, label: type })),
            },
          ],
        },
      ],
    },
    { name: 'newName', label: 'New name', type: 'string', default: '', required: true, ...onTables('update') },
    { name: 'returnAll', label: 'Return all', type: 'boolean', default: true, ...onTables('list') },
    {
      name: 'limit',
      label: 'Limit',
      type: 'number',
      default: 50,
      shownWhen: { resource: ['table'], operation: ['list'], returnAll: [false] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...onTables('create'),
      fields: [{ name: 'createIfNotExists', label: 'Reuse existing tables', type: 'boolean', default: false }],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...onTables('list'),
      fields: [
        { name: 'filterName', label: 'Filter by name', type: 'string', default: '' },
        {
          name: 'sortField',
          label: 'Order by',
          type: 'options',
          default: 'name',
          options: [
            { value: 'name', label: 'Name' },
            { value: 'createdAt', label: 'Created at' },
            { value: 'updatedAt', label: 'Updated at' },
          ],
        },
        {
          name: 'sortDirection',
          label: 'Direction',
          type: 'options',
          default: 'asc',
          options: [
            { value: 'asc', label: 'Ascending' },
            { value: 'desc', label: 'Descending' },
          ],
        },
      ],
    },
  ]),
};
