import type { KindCases } from '../testing/cases/node-case';

const items = [
  { id: 1, list: ['a', 'b'] },
  { id: 2, list: [{ x: 1 }] },
];

export const splitOutCases: KindCases = {
  kind: 'splitOut',
  cases: [
    {
      it: 'creates an item from each entry, objects unchanged',
      versions: [1],
      run: { items, parameters: { fieldToSplitOut: 'list' } },
      gives: [[{ list: 'a' }, { list: 'b' }, { x: 1 }]],
      pairs: [[{ item: 0 }, { item: 0 }, { item: 1 }]],
    },
    {
      it: 'includes the other fields if configured',
      versions: [1],
      run: { items: items.slice(0, 1), parameters: { fieldToSplitOut: 'list', include: 'allOtherFields' } },
      gives: [
        [
          { id: 1, list: 'a' },
          { id: 1, list: 'b' },
        ],
      ],
    },
    {
      it: 'requires the names of the fields to include',
      versions: [1],
      run: { items: [{ a: [1] }], parameters: { fieldToSplitOut: 'a', include: 'selectedOtherFields' } },
      fails: "No fields specified in 'Fields To Include'",
    },
    {
      it: 'creates an item from each file',
      versions: [1],
      run: {
        items: [{ a: 1, l: [1] }],
        parameters: { fieldToSplitOut: '$binary, l', include: 'selectedOtherFields', fieldsToInclude: 'a' },
      },
      withFiles: { one: { content: 'x' }, two: { content: 'y' } },
      gives: [[{ a: 1, l: 1 }, { a: 1 }]],
      files: [{ one: 'x' }, { two: 'y' }],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
  ],
};
