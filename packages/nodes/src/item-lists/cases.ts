import type { KindCases } from '../testing/cases/node-case';

const items = [
  { id: 2, t: ['a', 'b'] },
  { id: 1, t: ['c'] },
];
const [two, one] = items;
const OLDER = [1, 2, 2.1, 2.2];
const LATER = [3, 3.1];

export const itemListsCases: KindCases = {
  kind: 'itemLists',
  cases: [
    {
      it: 'splits an array by default',
      versions: [...OLDER, ...LATER],
      run: { items, parameters: { fieldToSplitOut: 't' } },
      gives: [[{ t: 'a' }, { t: 'b' }, { t: 'c' }]],
      pairs: [[{ item: 0 }, { item: 0 }, { item: 1 }]],
    },
    {
      it: 'summarizes by groups in the order of the keys of an object, and never counts empty values',
      versions: [2.2, ...LATER],
      run: {
        items: [
          { g: 'b', v: '' },
          { g: 10, v: 2 },
          { g: '2', v: 1 },
          { g: null, v: null },
        ],
        parameters: {
          operation: 'summarize',
          fieldsToSummarize: { values: [{ aggregation: 'countUnique', field: 'v', includeEmpty: true }] },
          fieldsToSplitBy: 'g',
          options: { skipEmptySplitFields: true },
        },
      },
      gives: [
        [
          { g: '2', unique_count_v: 1 },
          { g: '10', unique_count_v: 1 },
          { g: 'b', unique_count_v: 0 },
          { g: 'null', unique_count_v: 0 },
        ],
      ],
    },
    {
      it: 'compares numbers only',
      versions: [2.2],
      run: {
        items: [{ v: 'z' }, { v: 2 }, { v: 7 }],
        parameters: {
          operation: 'summarize',
          fieldsToSummarize: { values: [{ aggregation: 'max', field: 'v' }] },
        },
      },
      gives: [[{ max_v: 7 }]],
    },
    {
      it: 'compares values of any type',
      versions: LATER,
      run: {
        items: [{ v: 'b' }, { v: 'a' }],
        parameters: {
          operation: 'summarize',
          fieldsToSummarize: { values: [{ aggregation: 'max', field: 'v' }] },
        },
      },
      gives: [[{ max_v: 'b' }]],
    },
    {
      it: 'names the operation aggregating',
      versions: OLDER,
      run: {
        items,
        parameters: {
          operation: 'aggregateItems',
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'id' }] },
        },
      },
      gives: [[{ id: [2, 1] }]],
    },
    {
      it: 'names the operation concatenating',
      versions: LATER,
      run: {
        items,
        parameters: {
          operation: 'concatenateItems',
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'id' }] },
        },
      },
      gives: [[{ id: [2, 1] }]],
    },
    {
      it: 'keeps the files of all items next to their array, equal ones once if configured',
      versions: LATER,
      run: {
        items,
        parameters: {
          operation: 'concatenateItems',
          aggregate: 'aggregateAllItemData',
          options: { includeBinaries: true, keepOnlyUnique: true },
        },
      },
      withFiles: { data: { content: 'text', fileName: 'n.txt' } },
      files: [{ data: 'text' }],
    },
    {
      it: 'rejects a field that no item has',
      versions: [1, 2],
      run: { items, parameters: { fieldToSplitOut: 'nope' } },
      fails: "Couldn't find the field 'nope'",
    },
    {
      it: 'continues without a field that no item has',
      versions: [2.1, 2.2, ...LATER],
      run: { items, parameters: { fieldToSplitOut: 'nope' } },
      gives: [[]],
    },
    {
      it: 'splits only arrays in its first version',
      versions: [1],
      run: { items: [{ t: null }], parameters: { fieldToSplitOut: 't' } },
      fails: "The provided field 't' is not an array",
    },
    {
      it: 'splits only arrays and objects before version 2.2, or passes the input on if it continues',
      versions: [2, 2.1],
      run: {
        items: [{ t: null }],
        parameters: { fieldToSplitOut: 't' },
        node: { onError: 'continueRegularOutput' },
      },
      fails: "The provided field 't' is not an array or object",
      gives: [[{ t: null }]],
    },
    {
      it: 'treats any other value as the only entry',
      versions: [2.2, ...LATER],
      run: { items: [{ t: null }, { t: 5 }], parameters: { fieldToSplitOut: 't' } },
      gives: [[{ t: null }, { t: 5 }]],
    },
    {
      it: 'sorts items and passes the first ones on',
      versions: [...OLDER, ...LATER],
      run: { items, parameters: { operation: 'sort', sortFieldsUi: { sortField: [{ fieldName: 'id' }] } } },
      gives: [[one, two]],
    },
    {
      it: 'reads field names from an array',
      versions: OLDER,
      run: {
        items: [
          { a: 1, b: 1 },
          { a: 1, b: 2 },
        ],
        parameters: {
          operation: 'removeDuplicates',
          compare: 'selectedFields',
          fieldsToCompare: { fields: [{ fieldName: 'a' }] },
        },
      },
      gives: [[{ a: 1, b: 1 }]],
    },
    {
      it: 'reads field names from a string',
      versions: LATER,
      run: {
        items: [
          { a: 1, b: 1 },
          { a: 1, b: 2 },
        ],
        parameters: { operation: 'removeDuplicates', compare: 'selectedFields', fieldsToCompare: 'a' },
      },
      gives: [[{ a: 1, b: 1 }]],
    },
    {
      it: 'rejects a field of different types among duplicates',
      versions: [3],
      run: { items: [{ a: 1 }, { a: '1' }], parameters: { operation: 'removeDuplicates' } },
      fails: "'a' isn't always the same type",
    },
    {
      it: 'treats values of different types as different',
      versions: [3.1],
      run: { items: [{ a: 1 }, { a: '1' }, { a: 1 }], parameters: { operation: 'removeDuplicates' } },
      gives: [[{ a: 1 }, { a: '1' }]],
    },
    {
      it: 'aggregates whole items',
      versions: OLDER,
      run: { items, parameters: { operation: 'aggregateItems', aggregate: 'aggregateAllItemData' } },
      gives: [[{ data: items }]],
    },
    {
      it: 'passes the first item on by default',
      versions: [...OLDER, ...LATER],
      run: { items, parameters: { operation: 'limit' } },
      gives: [[two]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'summarizes',
      versions: [...OLDER, ...LATER],
      run: {
        items,
        parameters: {
          operation: 'summarize',
          fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'id' }] },
        },
      },
      gives: [[{ sum_id: 3 }]],
    },
    {
      it: 'requires fields to aggregate',
      versions: [...OLDER, ...LATER],
      run: { items, parameters: { operation: 'summarize' } },
      fails: 'You need to add at least one aggregation',
    },
  ],
};
