import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1, t: ['a'] }, { n: 2, t: ['b'] }, { n: null }];
const fields = (...names: string[]) => ({ fieldToAggregate: names.map((fieldToAggregate) => ({ fieldToAggregate })) });

export const aggregateCases: KindCases = {
  kind: 'aggregate',
  cases: [
    {
      it: 'lists the values of a field, without empty ones',
      versions: [1],
      run: { items, parameters: { fieldsToAggregate: fields('n') } },
      gives: [[{ n: [1, 2] }]],
      pairs: [[[{ item: 0 }, { item: 1 }, { item: 2 }]]],
    },
    {
      it: 'leaves arrays unchanged, or merges them',
      versions: [1],
      run: { items, parameters: { fieldsToAggregate: fields('t'), options: { mergeLists: true } } },
      gives: [[{ t: ['a', 'b'] }]],
    },
    {
      it: 'creates one array of whole items',
      versions: [1],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { aggregate: 'aggregateAllItemData' } },
      gives: [[{ data: [{ a: 1 }, { a: 2 }] }]],
    },
    {
      it: 'collects files, numbered if names are equal',
      versions: [1],
      run: { items: [{}, {}], parameters: { aggregate: 'aggregateAllItemData', options: { includeBinaries: true } } },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x', data_1: 'x' }],
    },
    {
      it: 'collects equal files once if configured',
      versions: [1],
      run: {
        items: [{}, {}],
        parameters: { aggregate: 'aggregateAllItemData', options: { includeBinaries: true, keepOnlyUnique: true } },
      },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'requires a field',
      versions: [1],
      run: { items: [{ a: 1 }], parameters: { fieldsToAggregate: { fieldToAggregate: [] } } },
      fails: 'No fields specified',
    },
    {
      it: 'rejects two output fields with the same name',
      versions: [1],
      run: {
        items: [{ a: 1 }],
        parameters: {
          fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'a' }, { fieldToAggregate: 'a' }] },
        },
      },
      fails: "The 'a' output field is used more than once",
    },
  ],
};
