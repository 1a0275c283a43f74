import type { Conditions, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from './build-parameters';

/** Parameters that node kinds for SQL servers share. */
export const batching: ParameterDescriptor = {
  name: 'queryBatching',
  label: 'Query batching',
  type: 'options',
  default: 'single',
  options: [
    choice('single', 'Single query'),
    choice('independently', 'Independent'),
    choice('transaction', 'Transaction'),
  ],
  help:
    'Whether the queries of all items run together, independently (an item that fails does not stop the others), ' +
    'or in one transaction.',
};

/** Large numbers as numbers or strings. */
export const largeNumbers = (over: Partial<ParameterDescriptor> = {}): ParameterDescriptor => ({
  name: 'largeNumbersOutput',
  label: 'Output large-format numbers as',
  type: 'options',
  default: 'text',
  options: [choice('numbers', 'Numbers'), choice('text', 'Text')],
  ...over,
});

/** Columns of the output. */
export const outputColumns = (operations: readonly string[]): ParameterDescriptor => ({
  name: 'outputColumns',
  label: 'Output columns',
  type: 'json',
  default: [],
  shownWhen: { '/operation': [...operations] },
  help: 'An array of columns, or comma-separated names. Default: all columns.',
  editor: 'json',
});

/** Values of placeholders. */
export const queryReplacement: ParameterDescriptor = text('queryReplacement', 'Query parameters', '', {
  shownWhen: { '/operation': ['executeQuery'] },
  help:
    'Values of $1, $2 … in the query: comma-separated, or an array from an expression. They are bound by the ' +
    'server and never become part of the query; $1:name is a quoted name.',
});

/** Null for empty strings. */
export const replaceEmptyStrings: ParameterDescriptor = {
  ...flag('replaceEmptyStrings', 'Replace empty strings with NULL'),
  shownWhen: { '/operation': ['insert', 'update', 'upsert', 'executeQuery'] },
};

const CONDITIONS = [
  ['equal', 'Equal'],
  ['!=', 'Not equal'],
  ['LIKE', 'Like'],
  ['>', 'Greater than'],
  ['<', 'Less than'],
  ['>=', 'Greater than or equal'],
  ['<=', 'Less than or equal'],
  ['IS NULL', 'Is null'],
  ['IS NOT NULL', 'Is not null'],
].map(([value = '', label = '']) => choice(value, label));

/** Conditions on rows, and how to combine them. */
export const whereParameters = (...shown: readonly Conditions[]): ParameterDescriptor[] =>
  shown.flatMap((shownWhen): ParameterDescriptor[] => [
    {
      name: 'where',
      label: 'Select rows',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      shownWhen,
      since: 2,
      help: 'Conditions that rows must meet. Default: all rows.',
      groups: [
        {
          name: 'values',
          label: 'Values',
          fields: [
            text('column', 'Column'),
            {
              name: 'condition',
              label: 'Operator',
              type: 'options',
              default: 'equal',
              options: [...CONDITIONS, choice('=', 'Equal')],
            },
            text('value', 'Value', '', { hiddenWhen: { condition: ['IS NULL', 'IS NOT NULL'] } }),
          ],
        },
      ],
    },
    {
      name: 'combineConditions',
      label: 'Combine conditions',
      type: 'options',
      default: 'AND',
      shownWhen,
      since: 2,
      options: [choice('AND', 'AND'), choice('OR', 'OR')],
      help: 'Whether rows must meet all conditions or any one.',
    },
  ]);

/** Limit and order of rows. */
export const selectParameters: readonly ParameterDescriptor[] = [
  {
    ...flag('returnAll', 'Return all'),
    shownWhen: { operation: ['select'] },
    since: 2,
    help: 'Whether to return all rows instead of up to a limit.',
  },
  {
    name: 'limit',
    label: 'Limit',
    type: 'number',
    default: 50,
    shownWhen: { operation: ['select'], returnAll: [false] },
    since: 2,
    help: 'Maximum number of rows.',
  },
  ...whereParameters({ operation: ['select'] }),
  {
    name: 'sort',
    label: 'Sort',
    type: 'fixedCollection',
    multiple: true,
    default: {},
    shownWhen: { operation: ['select'] },
    since: 2,
    help: 'Order of the rows.',
    groups: [
      {
        name: 'values',
        label: 'Values',
        fields: [
          text('column', 'Column'),
          {
            name: 'direction',
            label: 'Direction',
            type: 'options',
            default: 'ASC',
            options: [choice('ASC', 'Ascending'), choice('DESC', 'Descending')],
          },
        ],
      },
    ],
  },
];

/** Values as an array of columns, and how columns get their values. */
export const listedColumns = (
  operations: readonly string[],
  range: { readonly since: number; readonly until?: number },
): ParameterDescriptor[] => [
  {
    name: 'dataMode',
    label: 'Data mode',
    type: 'options',
    default: 'autoMapInputData',
    shownWhen: { operation: [...operations] },
    ...range,
    options: [
      choice('autoMapInputData', 'Auto-map input data to columns'),
      choice('defineBelow', 'Map each column manually'),
    ],
    help: 'Whether the columns are the fields of the item or are listed.',
  },
  {
    name: 'valuesToSend',
    label: 'Values to send',
    type: 'fixedCollection',
    multiple: true,
    default: {},
    shownWhen: { operation: [...operations], dataMode: ['defineBelow'] },
    ...range,
    help: 'Columns and their values.',
    groups: [{ name: 'values', label: 'Values', fields: [text('column', 'Column'), text('value', 'Value')] }],
  },
];

/** The column that selects rows, and its value. */
export const columnToMatchOn = (range: { readonly since: number; readonly until?: number }): ParameterDescriptor[] => [
  text('columnToMatchOn', 'Column to match on', '', {
    required: true,
    shownWhen: { operation: ['update', 'upsert'] },
    ...range,
    help: 'The column that selects rows. It does not change.',
  }),
  text('valueToMatchOn', 'Value of column to match on', '', {
    shownWhen: { operation: ['update', 'upsert'], dataMode: ['defineBelow'] },
    ...range,
    help: 'The value that selects rows.',
  }),
];

/** The delete command. */
export const deleteCommand: ParameterDescriptor = {
  name: 'deleteCommand',
  label: 'Command',
  type: 'options',
  default: 'truncate',
  since: 2,
  shownWhen: { operation: ['deleteTable'] },
  options: [choice('truncate', 'Truncate'), choice('delete', 'Delete'), choice('drop', 'Drop')],
  help: 'Whether to remove all rows, the rows that meet the conditions, or the table itself.',
};
