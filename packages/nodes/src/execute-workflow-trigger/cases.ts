import type { KindCases } from '../testing/cases/node-case';

const items = [{ a: 1, b: 2 }, { a: 3 }];

export const executeWorkflowTriggerCases: KindCases = {
  kind: 'executeWorkflowTrigger',
  cases: [
    {
      it: 'outputs all fields of the items of the call',
      versions: [1],
      run: { isStart: true, mode: 'integrated', items },
      gives: [items],
    },
    {
      it: 'outputs the declared fields, null for missing ones',
      versions: [1.1, 1.2],
      run: {
        isStart: true,
        mode: 'integrated',
        items,
        parameters: { workflowInputs: { values: [{ name: 'a', type: 'number' }, { name: 'c' }] } },
      },
      gives: [
        [
          { a: 1, c: null },
          { a: 3, c: null },
        ],
      ],
    },
    {
      it: 'outputs all fields if configured',
      versions: [1.1, 1.2],
      run: { isStart: true, mode: 'integrated', items, parameters: { inputSource: 'passthrough' } },
      gives: [items],
    },
    {
      it: 'outputs the fields of its example',
      versions: [1.1, 1.2],
      run: {
        isStart: true,
        mode: 'integrated',
        items,
        parameters: { inputSource: 'jsonExample', jsonExample: '{ "a": 0 }' },
      },
      gives: [[{ a: 1 }, { a: 3 }]],
    },
    {
      it: 'requires an object as its example',
      versions: [1.1, 1.2],
      run: { isStart: true, mode: 'integrated', items, parameters: { inputSource: 'jsonExample', jsonExample: '[1]' } },
      fails: 'The example of the input is not a JSON object',
    },
  ],
};
