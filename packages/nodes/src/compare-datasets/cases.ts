import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases } from '../testing/node-case';

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

export const compareDatasetsCases: KindCases = {
  kind: 'compareDatasets',
  cases: [
    {
      it: 'compares lists and prefers the second input by default',
      versions: [1],
      run: { inputs, parameters: byId },
      gives: [[{ id: 1, v: 'x' }], [{ id: 2, v: 'y' }], [{ id: 3, v: 'q' }], [{ id: 4, v: 'r' }]],
    },
    {
      it: 'compares lists and shows both versions by default',
      versions: LATER,
      run: { inputs, parameters: byId },
      gives: [
        [{ id: 1, v: 'x' }],
        [{ id: 2, v: 'y' }],
        [{ keys: { id: 3 }, same: { id: 3 }, different: { v: { inputA: 'z', inputB: 'q' } } }],
        [{ id: 4, v: 'r' }],
      ],
    },
    {
      it: 'shows both versions under older names if asked for',
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
      it: 'passes over fields that do not count',
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
      it: 'compares loosely by its option',
      versions: [1],
      run: { inputs: [[{ id: 1 }], [{ id: '1' }]], parameters: { ...byId, options: { fuzzyCompare: true } } },
      gives: [[], [{ id: '1' }], [], []],
    },
    {
      it: 'compares loosely by its parameter',
      versions: LATER,
      run: { inputs: [[{ id: 1 }], [{ id: '1' }]], parameters: { ...byId, fuzzyCompare: true } },
      gives: [[], [{ id: 1 }], [], []],
    },
  ],
};
