import type { KindCases } from '../testing/cases/node-case';

const items = [
  { c: 'red', k: 1, v: 1 },
  { c: 'blue', k: 2, v: 2 },
  { c: 'red', k: 1, v: 4 },
];
const sum = { fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'v' }] } };

export const summarizeCases: KindCases = {
  kind: 'summarize',
  cases: [
    {
      it: 'aggregates all items into one',
      versions: [1, 1.1],
      run: { items, parameters: sum },
      gives: [[{ sum_v: 7 }]],
      pairs: [[[{ item: 0 }, { item: 1 }, { item: 2 }]]],
    },
    {
      it: 'outputs an item for each group, with the value as a string',
      versions: [1],
      run: { items, parameters: { ...sum, fieldsToSplitBy: 'k' } },
      gives: [
        [
          { k: '1', sum_v: 5 },
          { k: '2', sum_v: 2 },
        ],
      ],
    },
    {
      it: 'outputs an item for each group, with the type of the value preserved',
      versions: [1.1],
      run: { items, parameters: { ...sum, fieldsToSplitBy: 'k' } },
      gives: [
        [
          { k: 1, sum_v: 5 },
          { k: 2, sum_v: 2 },
        ],
      ],
      pairs: [[[{ item: 0 }, { item: 2 }], [{ item: 1 }]]],
    },
    {
      it: 'concatenates with a comma by default',
      versions: [1, 1.1],
      run: { items, parameters: { fieldsToSummarize: { values: [{ aggregation: 'concatenate', field: 'c' }] } } },
      gives: [[{ concatenated_c: 'red,blue,red' }]],
    },
    {
      it: 'shows an array or an object as JSON if it names a group',
      versions: [1, 1.1],
      run: { items: [{ v: 1, g: { a: [1] } }], parameters: { ...sum, fieldsToSplitBy: 'g' } },
      gives: [[{ g: '{"a":[1]}', sum_v: 1 }]],
    },
    {
      it: 'omits the field for a group whose value is missing',
      versions: [1.1],
      run: { items: [{ v: 1 }, { v: 2, k: null }], parameters: { ...sum, fieldsToSplitBy: 'k' } },
      gives: [[{ sum_v: 1 }, { sum_v: 2, k: null }]],
    },
    {
      it: 'names a group whose value is missing',
      versions: [1],
      run: { items: [{ v: 1 }, { v: 2, k: null }], parameters: { ...sum, fieldsToSplitBy: 'k' } },
      gives: [
        [
          { sum_v: 1, k: 'undefined' },
          { sum_v: 2, k: 'null' },
        ],
      ],
    },
    {
      it: 'compares values of any type, arrays as strings',
      versions: [1, 1.1],
      run: {
        items: [
          { l: [2], b: true, o: { a: 1 } },
          { l: [10], b: false, o: { a: 2 } },
          { l: [], b: true },
        ],
        parameters: {
          fieldsToSummarize: {
            values: [
              { aggregation: 'min', field: 'l' },
              { aggregation: 'max', field: 'l' },
              { aggregation: 'min', field: 'b' },
              { aggregation: 'max', field: 'o' },
            ],
          },
        },
      },
      gives: [[{ min_l: [], max_l: [2], min_b: false, max_o: { a: 1 } }]],
    },
    {
      it: 'counts each object as a separate value',
      versions: [1, 1.1],
      run: {
        items: [{ o: { a: 1 } }, { o: { a: 1 } }],
        parameters: { fieldsToSummarize: { values: [{ aggregation: 'countUnique', field: 'o' }] } },
      },
      gives: [[{ unique_count_o: 2 }]],
    },
    {
      it: 'keeps round brackets in the names of its fields',
      versions: [1, 1.1],
      run: {
        items: [{ 'a (b)': 1 }],
        parameters: { fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'a (b)' }] } },
      },
      gives: [[{ 'sum_a_(b)': 1 }]],
    },
    {
      it: 'rejects a field that no item has',
      versions: [1],
      run: { items, parameters: { fieldsToSummarize: { values: [{ field: 'nope' }] } } },
      fails: "The field 'nope' does not exist",
    },
    {
      it: 'continues without a field that no item has',
      versions: [1.1],
      run: { items, parameters: { fieldsToSummarize: { values: [{ field: 'nope' }] } } },
      gives: [[{ count_nope: 0 }]],
    },
    {
      it: 'requires an aggregation',
      versions: [1, 1.1],
      run: { items },
      fails: "You need to add at least one aggregation to 'Fields to Summarize'",
    },
  ],
};
