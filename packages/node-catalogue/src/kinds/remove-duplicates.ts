import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, fieldList } from './list-parameters';
import { withHelp } from './with-help';

const ACROSS = 'removeItemsSeenInPreviousExecutions';
const CLEAR = 'clearDeduplicationHistory';
/** The operations that are about earlier runs. */
const EARLIER_RUNS = { operation: [ACROSS, CLEAR] };

const SCOPE = {
  name: 'scope',
  label: 'Scope',
  type: 'options',
  default: 'node',
  options: [
    { value: 'node', label: 'This node' },
    { value: 'workflow', label: 'All nodes of the workflow with this scope' },
  ],
} as const;

const HELP = {
  operation: 'Whether items are compared with each other, or with those of earlier runs.',
  compare: 'Which fields must be equal.',
  fieldsToExclude: 'Names with commas between them.',
  fieldsToCompare: 'Names with commas between them.',
  logic: 'What tells that an item was there before.',
  dedupeValue: 'What is remembered of each item.',
  incrementalDedupeValue: 'A number that grows with every new item.',
  dateDedupeValue: 'A date that grows with every new item.',
  mode: 'There is one.',
  options: 'Less common settings.',
} as const;

/** Takes out items that are equal to another. */
export const removeDuplicates: KindDescriptor = {
  kind: 'removeDuplicates',
  label: 'Remove duplicates',
  description: 'Takes out items that are equal to an earlier one, of the same run or of earlier runs.',
  versions: [1, 1.1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Across runs, at most 40,000 values are remembered, whatever the history size says.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'removeDuplicateInputItems',
      since: 2,
      options: [
        { value: 'removeDuplicateInputItems', label: 'Within the items that come in' },
        { value: ACROSS, label: 'Of earlier runs' },
        { value: CLEAR, label: 'Forget earlier runs' },
      ],
    },
    {
      name: 'compare',
      label: 'Compare',
      type: 'options',
      default: 'allFields',
      hiddenWhen: EARLIER_RUNS,
      options: [
        { value: 'allFields', label: 'All fields' },
        { value: 'allFieldsExcept', label: 'All but chosen fields' },
        { value: 'selectedFields', label: 'Chosen fields' },
      ],
    },
    fieldList('fieldsToExclude', 'Fields to leave out', {
      shownWhen: { compare: ['allFieldsExcept'] },
      hiddenWhen: EARLIER_RUNS,
    }),
    fieldList('fieldsToCompare', 'Fields to compare', {
      shownWhen: { compare: ['selectedFields'] },
      hiddenWhen: EARLIER_RUNS,
    }),
    {
      name: 'logic',
      label: 'Keep items where',
      type: 'options',
      default: 'removeItemsWithAlreadySeenKeyValues',
      since: 2,
      shownWhen: { operation: [ACROSS] },
      options: [
        { value: 'removeItemsWithAlreadySeenKeyValues', label: 'The value is new' },
        { value: 'removeItemsUpToStoredIncrementalKey', label: 'The number is greater than all before' },
        { value: 'removeItemsUpToStoredDate', label: 'The date is later than all before' },
      ],
    },
    {
      name: 'dedupeValue',
      label: 'Value to compare',
      type: 'string',
      default: '',
      since: 2,
      shownWhen: { operation: [ACROSS], logic: ['removeItemsWithAlreadySeenKeyValues'] },
    },
    {
      name: 'incrementalDedupeValue',
      label: 'Number to compare',
      type: 'number',
      since: 2,
      shownWhen: { operation: [ACROSS], logic: ['removeItemsUpToStoredIncrementalKey'] },
    },
    {
      name: 'dateDedupeValue',
      label: 'Date to compare',
      type: 'dateTime',
      since: 2,
      shownWhen: { operation: [ACROSS], logic: ['removeItemsUpToStoredDate'] },
    },
    {
      name: 'mode',
      label: 'What to forget',
      type: 'options',
      default: 'cleanDatabase',
      since: 2,
      shownWhen: { operation: [CLEAR] },
      options: [{ value: 'cleanDatabase', label: 'All values of the scope' }],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      hiddenWhen: EARLIER_RUNS,
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'removeOtherFields', label: 'Leave other fields out', type: 'boolean', default: false },
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      since: 2,
      shownWhen: { operation: [ACROSS] },
      fields: [
        SCOPE,
        {
          name: 'historySize',
          label: 'Values to remember',
          type: 'number',
          default: 10_000,
          help: 'At most 40,000. The oldest are forgotten first.',
        },
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      since: 2,
      shownWhen: { operation: [CLEAR] },
      fields: [SCOPE],
    },
  ]),
};
