import type { KindCases } from '../testing/node-case';

const items = [
  { id: 1, n: 'a' },
  { id: 1, n: 'a' },
  { id: 2, n: 'a' },
];

/** The promises of Remove duplicates about the items of one run. */
export const removeDuplicatesCases: KindCases = {
  kind: 'removeDuplicates',
  cases: [
    {
      it: 'keeps the first of items that are equal in all fields',
      versions: [1, 1.1, 2],
      run: { items },
      gives: [
        [
          { id: 1, n: 'a' },
          { id: 2, n: 'a' },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 2 }]],
    },
    {
      it: 'compares the chosen fields alone',
      versions: [1, 1.1, 2],
      run: { items, parameters: { compare: 'selectedFields', fieldsToCompare: 'n' } },
      gives: [[{ id: 1, n: 'a' }]],
    },
    {
      it: 'refuses a field of different types',
      versions: [1, 1.1, 2],
      run: { items: [{ a: 1 }, { a: '1' }] },
      fails: "'a' isn't always the same type",
    },
    {
      it: 'treats null like any other value',
      versions: [1.1, 2],
      run: { items: [{ a: 1 }, { a: null }, { a: 1 }] },
      gives: [[{ a: 1 }, { a: null }]],
    },
    {
      it: 'refuses null among values of another type',
      versions: [1],
      run: { items: [{ a: 1 }, { a: null }] },
      fails: "'a' isn't always the same type",
    },
  ],
};
