import type { Conditions, KindDescriptor, ParameterDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  options: 'Less common settings.',
  filters: 'Which rows are meant.',
  resource: 'Whether the node is about rows of a table, or about tables as a whole.',
  operation: 'What to do. Operations on rows are done for each item.',
  dataTableId:
    'The table: an object with `mode` (id, name or list) and `value`, or its id as text. One that was chosen ' +
    'from a list elsewhere is found by its name.',
  matchType: 'Whether one condition is enough, or all have to hold.',
  'filters.conditions.keyName': 'A column, or id, createdAt, updatedAt.',
  'filters.conditions.condition':
    'How the column is compared. `like` and `ilike` take % for anything; without % the text may be anywhere.',
  'filters.conditions.keyValue': 'What to compare with.',
  columns:
    'Values by column under `value`; with `mappingMode` autoMapInputData all fields of the item, each of ' +
    'which must be a column then.',
  returnAll: 'Whether to give all that match.',
  limit: 'Otherwise, how many at most.',
  orderBy: 'Whether the rows come in the order of a column; otherwise they come in the order in which they were added.',
  orderByColumn: 'That column.',
  orderByDirection: 'Which end comes first.',
  'options.optimizeBulk': 'Gives the number of rows instead of the rows.',
  'options.dryRun': 'Changes nothing, and gives every row that is meant twice: before and after.',
  tableName: 'Name of the new table; no other may have it.',
  newName: 'The name that the table gets.',
  'columns.column.name': 'A letter, then letters, digits and underscores.',
  'columns.column.type': 'What the column holds.',
  'options.createIfNotExists': 'Gives the table that has the name already, instead of failing.',
  'options.filterName': 'Only tables whose name contains this.',
  'options.sortField': 'What to order the tables by.',
  'options.sortDirection': 'Which end comes first.',
} as const;

const ROW = { resource: ['row'] };
const onRows = (...operation: string[]): { readonly shownWhen: Conditions } => ({ shownWhen: { ...ROW, operation } });
const onTables = (...operation: string[]): { readonly shownWhen: Conditions } => ({
  shownWhen: { resource: ['table'], operation },
});
const DIRECTIONS = [
  { value: 'ASC', label: 'Smallest first' },
  { value: 'DESC', label: 'Largest first' },
];
const DRY_RUN: ParameterDescriptor = {
  name: 'dryRun',
  label: 'Only show what would change',
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
  ['like', 'Contains, or is like'],
  ['ilike', 'The same, whatever the case'],
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
    'Reads and writes rows of data tables, which all workflows share, and makes, lists, renames and deletes ' +
    'the tables.',
  versions: [1, 1.1],
  groups: ['input', 'output', 'transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Tables belong to the instance and not to a project. One chosen from a list elsewhere is found by its name.',
    'One operation changes or deletes at most 5,000 rows.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'resource',
      label: 'About',
      type: 'options',
      default: 'row',
      options: [
        { value: 'row', label: 'Rows' },
        { value: 'table', label: 'Tables' },
      ],
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'insert',
      shownWhen: ROW,
      options: [
        { value: 'insert', label: 'Add a row' },
        { value: 'get', label: 'Get rows' },
        { value: 'rowExists', label: 'Keep the item if there is a row' },
        { value: 'rowNotExists', label: 'Keep the item if there is no row' },
        { value: 'update', label: 'Change rows' },
        { value: 'upsert', label: 'Change rows, or add one' },
        { value: 'deleteRows', label: 'Delete rows' },
      ],
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'list',
      shownWhen: { resource: ['table'] },
      options: [
        { value: 'create', label: 'Make a table' },
        { value: 'list', label: 'List tables' },
        { value: 'update', label: 'Rename a table' },
        { value: 'delete', label: 'Delete a table' },
      ],
    },
    { name: 'dataTableId', label: 'Data table', type: 'json', default: '', required: true, shownWhen: ROW },
    {
      name: 'dataTableId',
      label: 'Data table',
      type: 'json',
      default: '',
      required: true,
      ...onTables('update', 'delete'),
    },
    {
      name: 'matchType',
      label: 'Has to match',
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
            { name: 'keyName', label: 'Column', type: 'string', default: '' },
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
    { name: 'returnAll', label: 'All', type: 'boolean', default: false, ...onRows('get') },
    {
      name: 'limit',
      label: 'At most',
      type: 'number',
      default: 50,
      shownWhen: { ...ROW, operation: ['get'], returnAll: [false] },
    },
    { name: 'orderBy', label: 'In order', type: 'boolean', default: false, ...onRows('get') },
    {
      name: 'orderByColumn',
      label: 'Order by',
      type: 'string',
      default: 'id',
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
      fields: [{ name: 'optimizeBulk', label: 'Do not give the rows', type: 'boolean', default: false }],
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
    { name: 'returnAll', label: 'All', type: 'boolean', default: false, ...onTables('list') },
    {
      name: 'limit',
      label: 'At most',
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
      fields: [{ name: 'createIfNotExists', label: 'Take one that exists', type: 'boolean', default: false }],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      ...onTables('list'),
      fields: [
        { name: 'filterName', label: 'Name contains', type: 'string', default: '' },
        {
          name: 'sortField',
          label: 'Order by',
          type: 'options',
          default: 'name',
          options: [
            { value: 'name', label: 'Name' },
            { value: 'createdAt', label: 'Creation' },
            { value: 'updatedAt', label: 'Last change' },
          ],
        },
        {
          name: 'sortDirection',
          label: 'Direction',
          type: 'options',
          default: 'asc',
          options: [
            { value: 'asc', label: 'Smallest first' },
            { value: 'desc', label: 'Largest first' },
          ],
        },
      ],
    },
  ]),
};
