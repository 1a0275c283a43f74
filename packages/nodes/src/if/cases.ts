import type { KindCases } from '../testing/node-case';

const items = [
  { n: 1, s: 'a' },
  { n: 5, s: 'B' },
];
const condition = (leftValue: string, operation: string, rightValue: string | number, type = 'number') => ({
  combinator: 'and',
  conditions: [{ leftValue, rightValue, operator: { type, operation } }],
});
const [low, high] = [
  { n: 1, s: 'a' },
  { n: 5, s: 'B' },
];
const LATER = [2, 2.1, 2.2, 2.3];

export const ifCases: KindCases = {
  kind: 'if',
  cases: [
    {
      it: 'sends items whose conditions hold, all or one of them, to the first output',
      versions: [1],
      run: {
        items,
        parameters: {
          combineOperation: 'any',
          conditions: {
            number: [{ value1: '={{ $json.n }}', operation: 'larger', value2: 3 }],
            string: [{ value1: '={{ $json.s }}', operation: 'equal', value2: 'zz' }],
          },
        },
      },
      gives: [[high], [low]],
    },
    {
      it: 'sends each item one of two ways',
      versions: LATER,
      run: { items, parameters: { conditions: condition('={{ $json.n }}', 'gt', 3) } },
      gives: [[high], [low]],
      pairs: [[{ item: 1 }], [{ item: 0 }]],
    },
    {
      it: 'minds case and type where its conditions state no options',
      versions: LATER,
      run: { items, parameters: { conditions: condition('={{ $json.s }}', 'equals', 'b', 'string') } },
      gives: [[], [low, high]],
    },
    {
      it: 'ignores case by its option',
      versions: LATER,
      run: {
        items,
        parameters: {
          conditions: condition('={{ $json.s }}', 'equals', 'b', 'string'),
          options: { ignoreCase: true },
        },
      },
      gives: [[high], [low]],
    },
    {
      it: 'converts types by its option',
      versions: [2],
      run: {
        items,
        parameters: {
          conditions: condition('={{ $json.n }}', 'equals', '5', 'string'),
          options: { looseTypeValidation: true },
        },
      },
      gives: [[high], [low]],
    },
    {
      it: 'converts types by its parameter',
      versions: [2.1, 2.2, 2.3],
      run: {
        items,
        parameters: { conditions: condition('={{ $json.n }}', 'equals', '5', 'string'), looseTypeValidation: true },
      },
      gives: [[high], [low]],
    },
    {
      it: 'refuses a wrong type in strict mode',
      versions: LATER,
      run: {
        items,
        parameters: { conditions: { ...condition('={{ $json.s }}', 'gt', 3), options: { typeValidation: 'strict' } } },
      },
      fails: "Wrong type: 'a' is a string but was expecting a number",
    },
    {
      it: 'names a pattern that cannot be used',
      versions: [1],
      run: {
        items: [{}],
        parameters: { conditions: { string: [{ value1: 'a', operation: 'regex', value2: '(' }] } },
      },
      fails: 'The regular expression ( cannot be used',
    },
  ],
};
