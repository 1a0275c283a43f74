import { memoryState } from '../testing/memory-state';
import type { KindCases } from '../testing/cases/node-case';

const items = [
  { id: 1, n: 'a' },
  { id: 1, n: 'a' },
  { id: 2, n: 'a' },
];

/** The cases of Remove duplicates within one run. */
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
      it: 'compares only the selected fields',
      versions: [1, 1.1, 2],
      run: { items, parameters: { compare: 'selectedFields', fieldsToCompare: 'n' } },
      gives: [[{ id: 1, n: 'a' }]],
    },
    {
      it: 'rejects a field of different types',
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
      it: 'rejects null among values of another type',
      versions: [1],
      run: { items: [{ a: 1 }, { a: null }] },
      fails: "'a' isn't always the same type",
    },
    ...(
      [
        ['removeItemsWithAlreadySeenKeyValues', { dedupeValue: '={{ $json.id }}' }, [1, 1]],
        ['removeItemsUpToStoredIncrementalKey', { incrementalDedupeValue: '={{ $json.id }}' }, [1, 2]],
        ['removeItemsUpToStoredDate', { dateDedupeValue: '={{ "2024-01-0" + $json.id }}' }, [1, 2]],
      ] as const
    ).flatMap(([logic, value, ids]) => [
      {
        it: `passes on items that no earlier run had (${logic})`,
        versions: [2],
        run: () => ({
          items: ids.map((id) => ({ id })),
          parameters: { operation: 'removeItemsSeenInPreviousExecutions', logic, ...value },
          kept: memoryState(),
          mode: 'trigger' as const,
        }),
        gives: [ids.map((id) => ({ id })), []],
        pairs: [[{ item: 0 }, { item: 1 }], []],
      },
    ]),
    {
      it: 'clears the history of earlier runs, and passes its items on',
      versions: [2],
      run: () => ({
        items,
        parameters: { operation: 'clearDeduplicationHistory' },
        kept: memoryState(),
        mode: 'trigger' as const,
      }),
      gives: [items],
    },
    {
      it: 'outputs one item with the error if it continues',
      versions: [2],
      run: {
        items: [{ a: 1 }, { a: 2 }],
        parameters: { compare: 'selectedFields', fieldsToCompare: 'gone' },
        node: { onError: 'continueRegularOutput' },
      },
      gives: [[{ error: "'gone' field is missing from some input items" }]],
    },
    {
      it: 'passes its items on if it continues',
      versions: [1, 1.1],
      run: {
        items: [{ a: 1 }, { a: 2 }],
        parameters: { compare: 'selectedFields', fieldsToCompare: 'gone' },
        node: { onError: 'continueRegularOutput' },
      },
      gives: [[{ a: 1 }, { a: 2 }]],
      fails: "'gone' field is missing from some input items",
    },
  ],
};
