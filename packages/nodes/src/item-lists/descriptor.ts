import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';
import {
  DISABLE_DOT_NOTATION,
  fieldList,
  FIELDS_TO_AGGREGATE,
  FIELDS_TO_SUMMARIZE,
  namedFields,
  SORT_CODE,
  SORT_FIELDS,
  SORT_TYPE,
} from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const splits = { operation: ['splitOutItems'] };
const aggregates = { operation: ['aggregateItems', 'concatenateItems'] };
const wholeItems = { ...aggregates, aggregate: ['aggregateAllItemData'] };
const duplicates = { operation: ['removeDuplicates'] };

const HELP = {
  operation: 'The operation to perform.',
  fieldToSplitOut: 'Comma-separated names of fields with arrays.',
  include: 'Which other fields to include.',
  fieldsToInclude: 'The fields to include.',
  fieldsToExclude: 'The fields to exclude.',
  aggregate: 'Whether to aggregate individual fields, or all items into one array.',
  fieldsToAggregate: 'The fields whose values are aggregated.',
  destinationFieldName: 'Name of the output field for the array.',
  compare: 'Which fields must be equal.',
  fieldsToCompare: 'The fields that must be equal.',
  type: 'How to sort the items.',
  sortFieldsUi: 'The fields to sort by, in order.',
  maxItems: 'Maximum number of items.',
  keep: 'Whether to keep the first or the last items.',
  fieldsToSummarize: 'The fields to aggregate, and how.',
  fieldsToSplitBy: 'Comma-separated field names. Outputs one item per group of equal values.',
  options: 'Additional options.',
} as const;

/** The older form of splitOut, aggregate, removeDuplicates, sort, limit and summarize. */
export const itemLists: KindDescriptor = {
  kind: 'itemLists',
  label: 'Item lists',
  description: 'Operates on arrays of items. Superseded by separate nodes for each operation.',
  versions: [1, 2, 2.1, 2.2, 3, 3.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'splitOutItems',
      options: [
        choice('aggregateItems', 'Aggregate', { until: 2.2 }),
        choice('concatenateItems', 'Aggregate', { since: 3 }),
        choice('limit', 'Limit'),
        choice('removeDuplicates', 'Remove duplicates'),
        choice('sort', 'Sort'),
        choice('splitOutItems', 'Split out'),
        choice('summarize', 'Summarize'),
      ],
    },
    fieldList('fieldToSplitOut', 'Fields to split out', { required: true, shownWhen: splits }),
    {
      name: 'include',
      label: 'Keep',
      type: 'options',
      default: 'noOtherFields',
      shownWhen: splits,
      options: [
        choice('noOtherFields', 'No other fields'),
        choice('allOtherFields', 'All other fields'),
        choice('selectedOtherFields', 'Selected other fields'),
      ],
    },
    namedFields('fieldsToInclude', 'Fields to include', {
      until: 2.2,
      shownWhen: { ...splits, include: ['selectedOtherFields'] },
    }),
    fieldList('fieldsToInclude', 'Fields to include', {
      since: 3,
      shownWhen: { ...splits, include: ['selectedOtherFields'] },
    }),
    {
      name: 'aggregate',
      label: 'Concatenate items',
      type: 'options',
      default: 'aggregateIndividualFields',
      shownWhen: aggregates,
      options: [choice('aggregateIndividualFields', 'Fields'), choice('aggregateAllItemData', 'All item data')],
    },
    { ...FIELDS_TO_AGGREGATE, shownWhen: { ...aggregates, aggregate: ['aggregateIndividualFields'] } },
    {
      name: 'destinationFieldName',
      label: 'Destination field name',
      type: 'string',
      default: 'data',
      shownWhen: wholeItems,
    },
    {
      name: 'include',
      label: 'Keep',
      type: 'options',
      default: 'allFields',
      shownWhen: wholeItems,
      options: [
        choice('allFields', 'All fields'),
        choice('specifiedFields', 'Specified fields'),
        choice('allFieldsExcept', 'All fields except'),
      ],
    },
    namedFields('fieldsToExclude', 'Fields to exclude', {
      until: 2.2,
      shownWhen: { ...wholeItems, include: ['allFieldsExcept'] },
    }),
    fieldList('fieldsToExclude', 'Fields to exclude', {
      since: 3,
      shownWhen: { ...wholeItems, include: ['allFieldsExcept'] },
    }),
    namedFields('fieldsToInclude', 'Fields to include', {
      until: 2.2,
      shownWhen: { ...wholeItems, include: ['specifiedFields'] },
    }),
    fieldList('fieldsToInclude', 'Fields to include', {
      since: 3,
      shownWhen: { ...wholeItems, include: ['specifiedFields'] },
    }),
    {
      name: 'compare',
      label: 'Compare',
      type: 'options',
      default: 'allFields',
      shownWhen: duplicates,
      options: [
        choice('allFields', 'All fields'),
        choice('allFieldsExcept', 'All fields except'),
        choice('selectedFields', 'Specified fields'),
      ],
    },
    namedFields('fieldsToExclude', 'Fields to exclude', {
      until: 2.2,
      shownWhen: { ...duplicates, compare: ['allFieldsExcept'] },
    }),
    fieldList('fieldsToExclude', 'Fields to exclude', {
      since: 3,
      shownWhen: { ...duplicates, compare: ['allFieldsExcept'] },
    }),
    namedFields('fieldsToCompare', 'Fields to compare', {
      until: 2.2,
      shownWhen: { ...duplicates, compare: ['selectedFields'] },
    }),
    fieldList('fieldsToCompare', 'Fields to compare', {
      since: 3,
      shownWhen: { ...duplicates, compare: ['selectedFields'] },
    }),
    { ...SORT_TYPE, shownWhen: { operation: ['sort'] } },
    { ...SORT_FIELDS, shownWhen: { operation: ['sort'], type: ['simple'] } },
    { ...SORT_CODE, shownWhen: { operation: ['sort'], type: ['code'] } },
    {
      name: 'maxItems',
      label: 'Maximum number of items',
      type: 'number',
      default: 1,
      shownWhen: { operation: ['limit'] },
    },
    {
      name: 'keep',
      label: 'Keep',
      type: 'options',
      default: 'firstItems',
      shownWhen: { operation: ['limit'] },
      options: [choice('firstItems', 'First items'), choice('lastItems', 'Last items')],
    },
    { ...FIELDS_TO_SUMMARIZE, shownWhen: { operation: ['summarize'] } },
    fieldList('fieldsToSplitBy', 'Fields to split by', { shownWhen: { operation: ['summarize'] } }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'destinationFieldName', label: 'Destination field name', type: 'string', default: '' },
        { name: 'includeBinary', label: 'Include binary data', type: 'boolean', default: false },
        { name: 'includeBinaries', label: 'Include binary data', type: 'boolean', default: false, since: 3 },
        { name: 'keepOnlyUnique', label: 'Keep only unique binaries', type: 'boolean', default: false, since: 3 },
        { name: 'mergeLists', label: 'Merge lists', type: 'boolean', default: false },
        { name: 'keepMissing', label: 'Keep missing and null values', type: 'boolean', default: false },
        { name: 'removeOtherFields', label: 'Remove other fields', type: 'boolean', default: false },
        { name: 'continueIfFieldNotFound', label: 'Continue if field not found', type: 'boolean', default: false },
        {
          name: 'outputFormat',
          label: 'Output format',
          type: 'options',
          default: 'separateItems',
          options: [
            choice('separateItems', 'Each split in a separate item'),
            choice('singleItem', 'All splits in a single item'),
          ],
        },
        {
          name: 'skipEmptySplitFields',
          label: 'Ignore items without values in group by fields',
          type: 'boolean',
          default: false,
        },
      ],
    },
  ]),
};
