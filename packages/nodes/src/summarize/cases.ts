import type { KindCases } from '../testing/node-case';

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
      it: 'outputs an item for each group, whose value is a string',
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
      it: 'outputs an item for each group, whose value retains its type',
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
      it: 'shows a list or an object as JSON where it names a group',
      versions: [1, 1.1],
      run: { items: [{ v: 1, g: { a: [1] } }], parameters: { ...sum, fieldsToSplitBy: 'g' } },
      gives: [[{ g: '{"a":[1]}', sum_v: 1 }]],
    },
    {
      it: 'refuses a field that no item has',
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
  ],
};
