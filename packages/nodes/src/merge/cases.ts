import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases, NodeCase } from '../testing/cases/node-case';

const inputs: JsonObject[][] = [
  [
    { id: 1, a: 'x' },
    { id: 2, a: 'y' },
  ],
  [
    { id: 2, b: 'p' },
    { id: 3, b: 'q' },
  ],
];
const pairs = [[[{ item: 1 }, { item: 0, input: 1 }]]];
const byId = { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } };
const matched = [{ id: 2, a: 'y', b: 'p' }];
const positions = [
  { id: 2, a: 'x', b: 'p' },
  { id: 3, a: 'y', b: 'q' },
];
const all = [
  { id: 2, a: 'x', b: 'p' },
  { id: 3, a: 'x', b: 'q' },
  { id: 2, a: 'y', b: 'p' },
  { id: 3, a: 'y', b: 'q' },
];
const LATER = [3, 3.1, 3.2];

export const mergeCases: KindCases = {
  kind: 'merge',
  cases: [
    { it: 'appends by default', versions: [1, 2, 2.1, ...LATER], run: { inputs }, gives: [inputs.flat()] },
    {
      it: 'merges by key, including items without a match',
      versions: [1],
      run: { inputs, parameters: { mode: 'mergeByKey', propertyName1: 'id', propertyName2: 'id' } },
      gives: [[{ id: 1, a: 'x' }, ...matched]],
    },
    {
      it: 'preserves the compared field, and leaves out values that cannot be compared',
      versions: [1],
      run: {
        inputs: [
          [{ id: 1, a: 'x' }, { a: 'none' }, { id: true }, { id: 0 }],
          [
            { id: '1', a: 'y' },
            { id: 0, a: 'zero' },
          ],
        ],
        parameters: { mode: 'mergeByKey', propertyName1: 'id', propertyName2: 'id' },
      },
      gives: [[{ id: 1, a: 'y' }, { id: 0 }]],
    },
    { it: 'merges by index', versions: [1], run: { inputs, parameters: { mode: 'mergeByIndex' } }, gives: [positions] },
    {
      it: 'passes one input on',
      versions: [1],
      run: { inputs, parameters: { mode: 'passThrough', output: 'input2' } },
      gives: [inputs[1] ?? []],
    },
    {
      it: 'combines by fields, keeping matches',
      versions: [2, 2.1],
      run: { inputs, parameters: { mode: 'combine', ...byId } },
      gives: [matched],
      pairs,
    },
    {
      it: 'combines by position',
      versions: [2, 2.1],
      run: { inputs, parameters: { mode: 'combine', combinationMode: 'mergeByPosition' } },
      gives: [positions],
    },
    {
      it: 'combines all with all',
      versions: [2, 2.1],
      run: { inputs, parameters: { mode: 'combine', combinationMode: 'multiplex' } },
      gives: [all],
    },
    {
      it: 'outputs the chosen branch',
      versions: [2, 2.1],
      run: { inputs, parameters: { mode: 'chooseBranch', output: 'input2' } },
      gives: [inputs[1] ?? []],
    },
    {
      it: 'rejects a field that no item has',
      versions: [2],
      run: { inputs, parameters: { mode: 'combine', mergeByFields: { values: [{ field1: 'nope', field2: 'id' }] } } },
      fails: "Field 'nope' is not present",
    },
    {
      it: 'combines by fields, keeping matches',
      versions: LATER,
      run: { inputs, parameters: { mode: 'combine', fieldsToMatchString: 'id' } },
      gives: [matched],
      pairs,
    },
    {
      it: 'combines by position',
      versions: LATER,
      run: { inputs, parameters: { mode: 'combine', combineBy: 'combineByPosition' } },
      gives: [positions],
    },
    {
      it: 'combines by position with a suffix for each input, and the fields of the last one without a suffix too',
      versions: LATER,
      run: {
        inputs,
        parameters: {
          mode: 'combine',
          combineBy: 'combineByPosition',
          options: { clashHandling: { values: { resolveClash: 'addSuffix' } } },
        },
      },
      gives: [
        [
          { id_1: 1, a_1: 'x', id_2: 2, b_2: 'p', id: 2, b: 'p' },
          { id_1: 2, a_1: 'y', id_2: 3, b_2: 'q', id: 3, b: 'q' },
        ],
      ],
    },
    {
      it: 'combines by position with a suffix for each input',
      versions: [2, 2.1],
      run: {
        inputs,
        parameters: {
          mode: 'combine',
          combinationMode: 'mergeByPosition',
          options: { clashHandling: { values: { resolveClash: 'addSuffix' } } },
        },
      },
      gives: [
        [
          { id_1: 1, a_1: 'x', id_2: 2, b_2: 'p' },
          { id_1: 2, a_1: 'y', id_2: 3, b_2: 'q' },
        ],
      ],
    },
    {
      it: 'combines all with all',
      versions: LATER,
      run: { inputs, parameters: { mode: 'combine', combineBy: 'combineAll' } },
      gives: [all],
    },
    {
      it: 'accepts more than two inputs',
      versions: LATER,
      run: { inputs: [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]], parameters: { numberInputs: 3 } },
      gives: [[{ n: 1 }, { n: 2 }, { n: 3 }]],
    },
    {
      it: 'outputs the chosen branch',
      versions: LATER,
      run: { inputs, parameters: { mode: 'chooseBranch', useDataOfInput: 2 } },
      gives: [inputs[1] ?? []],
    },
    {
      it: 'keeps items with a match',
      versions: [1],
      run: { inputs, parameters: { mode: 'keepKeyMatches', propertyName1: 'id', propertyName2: 'id' } },
      gives: [[{ id: 2, a: 'y' }]],
    },
    {
      it: 'removes items with a match',
      versions: [1],
      run: { inputs, parameters: { mode: 'removeKeyMatches', propertyName1: 'id', propertyName2: 'id' } },
      gives: [[{ id: 1, a: 'x' }]],
    },
    { it: 'combines all with all', versions: [1], run: { inputs, parameters: { mode: 'multiplex' } }, gives: [all] },
    { it: 'waits for both inputs', versions: [1], run: { inputs, parameters: { mode: 'wait' } }, gives: [[{}]] },
    {
      it: 'reports an unknown mode',
      versions: [1, 2, 2.1, ...LATER],
      run: { inputs, parameters: { mode: '={{ "sideways" }}' } },
      fails: 'The parameter "mode" is "sideways", which is not supported',
    },
    {
      it: 'joins the inputs by an SQL query, and links rows to their items',
      versions: [3.1, 3.2],
      run: {
        inputs,
        parameters: {
          mode: 'combineBySql',
          query: 'SELECT input1.a, input2.b FROM input1 JOIN input2 ON input1.id = input2.id',
        },
      },
      gives: [[{ a: 'y', b: 'p' }]],
      pairs,
    },
    {
      it: 'links the rows of a query to all items in its first version',
      versions: [3],
      run: { inputs, parameters: { mode: 'combineBySql', query: 'SELECT COUNT(*) AS n FROM input2' } },
      gives: [[{ n: 2 }]],
      pairs: [[[{ item: 0 }, { item: 1 }, { item: 0, input: 1 }, { item: 1, input: 1 }]]],
    },
    {
      it: 'gives a query the values of its parameters, and resolves expressions in it',
      versions: LATER,
      run: {
        inputs,
        parameters: {
          mode: 'combineBySql',
          query: "SELECT a FROM input1 WHERE id = ? AND a = '{{ $json.a }}'",
          options: { queryParameters: '1' },
        },
      },
      gives: [[{ a: 'x' }]],
    },
    ...[3, 3.1].map((version): NodeCase => ({
      it: 'reports success if a query returns no rows',
      versions: [version],
      run: { inputs, parameters: { mode: 'combineBySql', query: 'SELECT a FROM input1 WHERE id = 9' } },
      gives: [[{ success: true }]],
    })),
    {
      it: 'returns no items if a query returns no rows, or success with its option',
      versions: [3.2],
      run: { inputs, parameters: { mode: 'combineBySql', query: 'SELECT a FROM input1 WHERE id = 9' } },
      gives: [[]],
    },
    {
      it: 'says what is wrong with a query',
      versions: LATER,
      run: { inputs, parameters: { mode: 'combineBySql', query: 'SELECT FROM WHERE' } },
      fails: 'The SQL query failed',
    },
  ],
};
