import type { KindDescriptor } from '@weft/node-catalogue';
import { DISABLE_DOT_NOTATION, fieldList } from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const ACROSS = 'removeItemsSeenInPreviousExecutions';
const CLEAR = 'clearDeduplicationHistory';
/** Operations that compare with earlier runs. */
const EARLIER_RUNS = { operation: [ACROSS, CLEAR] };

const SCOPE = {
  name: 'scope',
  label: 'Scope',
  type: 'options',
  default: 'node',
  options: [
    { value: 'node', label: 'Node' },
    { value: 'workflow', label: 'Workflow' },
  ],
} as const;

const HELP = {
  operation: 'Whether to compare items within the input or with those of previous executions.',
  compare: 'Which fields to compare.',
  fieldsToExclude: 'Comma-separated names.',
  fieldsToCompare: 'Comma-separated names.',
  logic: 'How items of previous executions are recognized.',
  dedupeValue: 'Value to store for each item.',
  incrementalDedupeValue: 'A number that grows with every new item.',
  dateDedupeValue: 'A date that grows with every new item.',
  mode: 'The only value.',
  options: 'Additional options.',
} as const;

/** Removes duplicate items. */
export const removeDuplicates: KindDescriptor = {
  kind: 'removeDuplicates',
  label: 'Remove duplicates',
  description: 'Removes items that duplicate another item of the input or of previous executions.',
  versions: [1, 1.1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['At most 40,000 values are stored across executions, whatever the history size.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'removeDuplicateInputItems',
      since: 2,
      options: [
        { value: 'removeDuplicateInputItems', label: 'Remove items repeated within current input' },
        { value: ACROSS, label: 'Remove items processed in previous executions' },
        { value: CLEAR, label: 'Clear deduplication history' },
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
        { value: 'allFieldsExcept', label: 'All fields except' },
        { value: 'selectedFields', label: 'Specified fields' },
      ],
    },
    fieldList('fieldsToExclude', 'Fields to exclude', {
      shownWhen: { compare: ['allFieldsExcept'] },
      hiddenWhen: EARLIER_RUNS,
      placeholder: 'id, name',
    }),
    fieldList('fieldsToCompare', 'Fields to compare', {
      shownWhen: { compare: ['selectedFields'] },
      hiddenWhen: EARLIER_RUNS,
      placeholder: 'id, name',
    }),
    {
      name: 'logic',
      label: 'Keep items where',
      type: 'options',
      default: 'removeItemsWithAlreadySeenKeyValues',
      since: 2,
      shownWhen: { operation: [ACROSS] },
      options: [
        { value: 'removeItemsWithAlreadySeenKeyValues', label: 'Value is new' },
        { value: 'removeItemsUpToStoredIncrementalKey', label: 'Value is higher than any previous value' },
        { value: 'removeItemsUpToStoredDate', label: 'Value is a date later than any previous date' },
      ],
    },
    {
      name: 'dedupeValue',
      label: 'Value to dedupe on',
      type: 'string',
      default: '',
      since: 2,
      shownWhen: { operation: [ACROSS], logic: ['removeItemsWithAlreadySeenKeyValues'] },
    },
    {
      name: 'incrementalDedupeValue',
      label: 'Value to dedupe on',
      type: 'number',
      since: 2,
      shownWhen: { operation: [ACROSS], logic: ['removeItemsUpToStoredIncrementalKey'] },
    },
    {
      name: 'dateDedupeValue',
      label: 'Value to dedupe on',
      type: 'dateTime',
      since: 2,
      shownWhen: { operation: [ACROSS], logic: ['removeItemsUpToStoredDate'] },
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'cleanDatabase',
      since: 2,
      shownWhen: { operation: [CLEAR] },
      options: [{ value: 'cleanDatabase', label: 'Clean database' }],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      hiddenWhen: EARLIER_RUNS,
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'removeOtherFields', label: 'Remove other fields', type: 'boolean', default: false },
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
          label: 'History size',
          type: 'number',
          default: 10_000,
          help: 'At most 40,000. The oldest are removed first.',
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
