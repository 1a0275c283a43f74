import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from '../testing/cases/node-case';

const inputs: JsonObject[][] = [
  [
    { id: 1, v: 'x' },
    { id: 2, v: 'y' },
    { id: 3, v: 'z' },
  ],
  [
    { id: 2, v: 'y' },
    { id: 3, v: 'q' },
    { id: 4, v: 'r' },
  ],
];
const byId: JsonObject = { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } };
const LATER = [2, 2.1, 2.2, 2.3];
const SHOWS_BOTH = [2.1, 2.2, 2.3];
const nested: JsonObject[][] = [[{ id: 1, v: { a: 1, b: 2 } }], [{ id: 1, v: { a: 3, b: 4 } }]];

export const compareDatasetsCases: KindCases = {
  kind: 'compareDatasets',
  cases: [
    {
      it: 'compares items and prefers the second input by default',
      versions: [1, 2],
      run: { inputs, parameters: byId },
      gives: [[{ id: 1, v: 'x' }], [{ id: 2, v: 'y' }], [{ id: 3, v: 'q' }], [{ id: 4, v: 'r' }]],
    },
    {
      it: 'compares items and shows both versions by default',
      versions: SHOWS_BOTH,
      run: { inputs, parameters: byId },
      gives: [
        [{ id: 1, v: 'x' }],
        [{ id: 2, v: 'y' }],
        [{ keys: { id: 3 }, same: { id: 3 }, different: { v: { inputA: 'z', inputB: 'q' } } }],
        [{ id: 4, v: 'r' }],
      ],
    },
    {
      it: 'shows both versions under the older names if configured',
      versions: [1],
      run: { inputs, parameters: { ...byId, resolve: 'includeBoth' } },
      gives: [
        [{ id: 1, v: 'x' }],
        [{ id: 2, v: 'y' }],
        [{ keys: { id: 3 }, same: { id: 3 }, different: { v: { input1: 'z', input2: 'q' } } }],
        [{ id: 4, v: 'r' }],
      ],
    },
    {
      it: 'ignores skipped fields',
      versions: [1, ...LATER],
      run: { inputs, parameters: { ...byId, options: { skipFields: 'v' } } },
      gives: [
        [{ id: 1, v: 'x' }],
        [
          { id: 2, v: 'y' },
          { id: 3, v: 'z' },
        ],
        [],
        [{ id: 4, v: 'r' }],
      ],
    },
    {
      it: 'compares loosely with its option',
      versions: [1],
      run: { inputs: [[{ id: 1 }], [{ id: '1' }]], parameters: { ...byId, options: { fuzzyCompare: true } } },
      gives: [[], [{ id: '1' }], [], []],
    },
    ...[
      { versions: [1], loosely: { options: { fuzzyCompare: true } } },
      { versions: LATER, loosely: { fuzzyCompare: true } },
    ].map(({ versions, loosely }): NodeCase => ({
      it: 'treats an empty string, an empty array, null and a missing field as equal, and ignores extra fields of B',
      versions,
      run: {
        inputs: [
          [{ id: 1, v: null }, { id: 2, v: '' }, { id: 3, v: [] }, { id: 4 }, { id: 5, v: {} }],
          [{ id: 1 }, { id: 2, v: null }, { id: 3, v: '' }, { id: 4, v: {} }, { id: 5 }],
        ],
        parameters: { ...byId, ...loosely, resolve: 'preferInput1' },
      },
      gives: [[], [{ id: 1, v: null }, { id: 2, v: '' }, { id: 3, v: [] }, { id: 4 }], [{ id: 5, v: {} }], []],
    })),
    {
      it: 'reports skipped fields separately by path',
      versions: SHOWS_BOTH,
      run: { inputs: nested, parameters: { ...byId, options: { skipFields: 'v.b' } } },
      gives: [
        [],
        [],
        [
          {
            keys: { id: 1 },
            same: { id: 1 },
            different: { v: { inputA: { a: 1 }, inputB: { a: 3 } } },
            skipped: { v: { inputA: { b: 2 }, inputB: { b: 4 } } },
          },
        ],
        [],
      ],
    },
    {
      it: 'finds no match for fields that no item has',
      versions: [2.2, 2.3],
      run: { inputs: [[{ a: 1 }, {}], [{ b: 1 }]], parameters: byId },
      gives: [[{ a: 1 }], [], [], [{ b: 1 }]],
    },
    {
      it: 'shows empty, zero and false values as null in its first version',
      versions: [1],
      run: { inputs: [[{ id: 1, v: 0 }], [{ id: 1, v: 2 }]], parameters: { ...byId, resolve: 'includeBoth' } },
      gives: [[], [], [{ keys: { id: 1 }, same: { id: 1 }, different: { v: { input1: null, input2: 2 } } }], []],
    },
    {
      it: 'compares loosely with its parameter',
      versions: SHOWS_BOTH,
      run: { inputs: [[{ id: 1 }], [{ id: '1' }]], parameters: { ...byId, fuzzyCompare: true } },
      gives: [[], [{ id: 1 }], [], []],
    },
    {
      it: 'requires a pair of fields',
      versions: [1, 2, 2.1, 2.2, 2.3],
      run: { inputs: [[{ a: 1 }], [{ a: 1 }]], parameters: { mergeByFields: { values: [] } } },
      fails: 'You need to define at least one pair of fields in "Fields to Match" to match on',
    },
  ],
};
