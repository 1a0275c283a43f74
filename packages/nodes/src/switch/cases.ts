import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 5 }, { n: 50 }];
const older: JsonObject = {
  dataType: 'number',
  value1: '={{ $json.n }}',
  rules: {
    rules: [
      { operation: 'equal', value2: 5, output: 2 },
      { operation: 'larger', value2: 3, output: 1 },
    ],
  },
};
const rule = (operation: string, rightValue: number): JsonObject => ({
  conditions: {
    combinator: 'and',
    conditions: [{ leftValue: '={{ $json.n }}', rightValue, operator: { type: 'number', operation } }],
    options: {},
  },
});
const rules: JsonObject = { rules: { values: [rule('equals', 5), rule('gt', 3)] } };
const LATER = [3, 3.1, 3.2, 3.3, 3.4];

export const switchCases: KindCases = {
  kind: 'switch',
  cases: [
    {
      it: 'sends an item to the output that its first rule sets, of four',
      versions: [1],
      run: { items, parameters: older },
      gives: [[], [{ n: 50 }], [{ n: 5 }], []],
      pairs: [[], [{ item: 2 }], [{ item: 1 }], []],
    },
    {
      it: 'sends an item to the output of its first rule',
      versions: [2],
      run: { items, parameters: older },
      gives: [[{ n: 5 }], [{ n: 50 }]],
    },
    {
      it: 'sends items that match no rule to the named output',
      versions: [1],
      run: { items, parameters: { ...older, fallbackOutput: 3 } },
      gives: [[], [{ n: 50 }], [{ n: 5 }], [{ n: 1 }]],
    },
    {
      it: 'sends an item to the output of its first rule, and nowhere if no rule holds',
      versions: LATER,
      run: { items, parameters: rules },
      gives: [[{ n: 5 }], [{ n: 50 }]],
      pairs: [[{ item: 1 }], [{ item: 2 }]],
    },
    {
      it: 'sends items that match no rule to an extra output if configured',
      versions: LATER,
      run: { items, parameters: { ...rules, options: { fallbackOutput: 'extra' } } },
      gives: [[{ n: 5 }], [{ n: 50 }], [{ n: 1 }]],
    },
    {
      it: 'sends an item to the outputs of all matching rules if configured',
      versions: LATER,
      run: { items, parameters: { ...rules, options: { allMatchingOutputs: true } } },
      gives: [[{ n: 5 }], [{ n: 5 }, { n: 50 }]],
    },
    {
      it: 'sends everything to the first output without rules',
      versions: LATER,
      run: { items, parameters: {} },
      gives: [items],
    },
    {
      it: 'sends nothing anywhere if its array of rules is empty',
      versions: LATER,
      run: { items, parameters: { rules: { values: [] } } },
      gives: [[]],
    },
    {
      it: 'sends everything to the first output without rules',
      versions: [1],
      run: { items, parameters: { mode: 'expression' } },
      gives: [items, [], [], []],
    },
    {
      it: 'reads the number of the output from an expression',
      versions: [1],
      run: { items: [{ n: 3 }], parameters: { mode: 'expression', output: '={{ $json.n }}' } },
      gives: [[], [], [], [{ n: 3 }]],
    },
    {
      it: 'reads the number of the output from an expression',
      versions: [2],
      run: { items: [{ n: 1 }], parameters: { mode: 'expression', outputsAmount: 2, output: '={{ $json.n }}' } },
      gives: [[], [{ n: 1 }]],
    },
    {
      it: 'reads the number of the output from an expression',
      versions: LATER,
      run: { items: [{ n: 1 }], parameters: { mode: 'expression', numberOutputs: 2, output: '={{ $json.n }}' } },
      gives: [[], [{ n: 1 }]],
    },
    {
      it: 'converts types with its option',
      versions: [3],
      run: { items: [{ n: '5' }], parameters: { ...rules, options: { looseTypeValidation: true } } },
      gives: [[{ n: '5' }], []],
    },
    {
      it: 'converts types with its parameter',
      versions: [3.1, 3.2, 3.3, 3.4],
      run: { items: [{ n: '5' }], parameters: { ...rules, looseTypeValidation: true } },
      gives: [[{ n: '5' }], []],
    },
    {
      it: 'lists the existing outputs',
      versions: [1, 2, 3, 3.1, 3.2, 3.3, 3.4],
      run: { items: [{}], parameters: { mode: 'expression', output: '={{ 9 }}' } },
      fails: 'The ouput 9 is not allowed',
    },
  ],
};
