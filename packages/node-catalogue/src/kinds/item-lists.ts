import type { KindDescriptor } from '../descriptor';
import { choice } from './build-parameters';
import {
  DISABLE_DOT_NOTATION,
  fieldList,
  FIELDS_TO_AGGREGATE,
  FIELDS_TO_SUMMARIZE,
  namedFields,
  SORT_CODE,
  SORT_FIELDS,
  SORT_TYPE,
} from './list-parameters';
import { withHelp } from './with-help';

const splits = { operation: ['splitOutItems'] };
const aggregates = { operation: ['aggregateItems', 'concatenateItems'] };
const wholeItems = { ...aggregates, aggregate: ['aggregateAllItemData'] };
const duplicates = { operation: ['removeDuplicates'] };

const HELP = {
  operation: 'What is done with the items.',
  fieldToSplitOut: 'Names with commas between them; each is a list.',
  include: 'Which other fields are kept.',
  fieldsToInclude: 'The fields to keep.',
  fieldsToExclude: 'The fields to leave out.',
  aggregate: 'Whether the values of chosen fields become lists, or all items one list.',
  fieldsToAggregate: 'The fields whose values are aggregated.',
  destinationFieldName: 'The field of the new item that holds the list.',
  compare: 'Which fields must be equal.',
  fieldsToCompare: 'The fields that must be equal.',
  type: 'How the items are sorted.',
  sortFieldsUi: 'The fields to sort by, the first one first.',
  maxItems: 'How many are kept.',
  keep: 'From which end.',
  fieldsToSummarize: 'What is brought together, and how.',
  fieldsToSplitBy: 'Names with commas between them: an item for each group of equal values.',
  options: 'Less common settings.',
} as const;

/** The older form of splitOut, aggregate, removeDuplicates, sort, limit and summarize. */
export const itemLists: KindDescriptor = {
  kind: 'itemLists',
  label: 'Item lists',
  description: 'Works on the list of items in one of several ways. The older form of kinds of their own.',
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
        choice('selectedOtherFields', 'Chosen other fields'),
      ],
    },
    namedFields('fieldsToInclude', 'Fields to keep', {
      until: 2.2,
      shownWhen: { ...splits, include: ['selectedOtherFields'] },
    }),
    fieldList('fieldsToInclude', 'Fields to keep', {
      since: 3,
      shownWhen: { ...splits, include: ['selectedOtherFields'] },
    }),
    {
      name: 'aggregate',
      label: 'Aggregate',
      type: 'options',
      default: 'aggregateIndividualFields',
      shownWhen: aggregates,
      options: [choice('aggregateIndividualFields', 'Fields'), choice('aggregateAllItemData', 'Whole items')],
    },
    { ...FIELDS_TO_AGGREGATE, shownWhen: { ...aggregates, aggregate: ['aggregateIndividualFields'] } },
    { name: 'destinationFieldName', label: 'Name of the list', type: 'string', default: 'data', shownWhen: wholeItems },
    {
      name: 'include',
      label: 'Keep',
      type: 'options',
      default: 'allFields',
      shownWhen: wholeItems,
      options: [
        choice('allFields', 'All fields'),
        choice('specifiedFields', 'Chosen fields'),
        choice('allFieldsExcept', 'All but chosen fields'),
      ],
    },
    namedFields('fieldsToExclude', 'Fields to leave out', {
      until: 2.2,
      shownWhen: { ...wholeItems, include: ['allFieldsExcept'] },
    }),
    fieldList('fieldsToExclude', 'Fields to leave out', {
      since: 3,
      shownWhen: { ...wholeItems, include: ['allFieldsExcept'] },
    }),
    namedFields('fieldsToInclude', 'Fields to keep', {
      until: 2.2,
      shownWhen: { ...wholeItems, include: ['specifiedFields'] },
    }),
    fieldList('fieldsToInclude', 'Fields to keep', {
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
        choice('allFieldsExcept', 'All but chosen fields'),
        choice('selectedFields', 'Chosen fields'),
      ],
    },
    namedFields('fieldsToExclude', 'Fields to leave out', {
      until: 2.2,
      shownWhen: { ...duplicates, compare: ['allFieldsExcept'] },
    }),
    fieldList('fieldsToExclude', 'Fields to leave out', {
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
    { name: 'maxItems', label: 'Items at most', type: 'number', default: 1, shownWhen: { operation: ['limit'] } },
    {
      name: 'keep',
      label: 'Keep',
      type: 'options',
      default: 'firstItems',
      shownWhen: { operation: ['limit'] },
      options: [choice('firstItems', 'The first'), choice('lastItems', 'The last')],
    },
    { ...FIELDS_TO_SUMMARIZE, shownWhen: { operation: ['summarize'] } },
    fieldList('fieldsToSplitBy', 'Group by', { shownWhen: { operation: ['summarize'] } }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'destinationFieldName', label: 'Name of the field', type: 'string', default: '' },
        { name: 'includeBinary', label: 'Keep files', type: 'boolean', default: false },
        { name: 'mergeLists', label: 'Merge lists', type: 'boolean', default: false },
        { name: 'keepMissing', label: 'Keep missing values', type: 'boolean', default: false },
        { name: 'removeOtherFields', label: 'Leave other fields out', type: 'boolean', default: false },
        { name: 'continueIfFieldNotFound', label: 'Go on without a field', type: 'boolean', default: false },
        {
          name: 'outputFormat',
          label: 'Give',
          type: 'options',
          default: 'separateItems',
          options: [choice('separateItems', 'An item for each group'), choice('singleItem', 'One item')],
        },
        { name: 'skipEmptySplitFields', label: 'Leave groups without a value out', type: 'boolean', default: false },
      ],
    },
  ]),
};
