import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];
const executionDuration = 0;

export const simulateCases: KindCases = {
  kind: 'simulate',
  cases: [
    {
      it: 'outputs its input by default',
      versions: [1],
      run: { items, parameters: { executionDuration } },
      gives: [items],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'outputs the given number of input items',
      versions: [1],
      run: { items, parameters: { output: 'specify', numberOfItems: 1, executionDuration } },
      gives: [[{ n: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'outputs given items',
      versions: [1],
      run: { items: [{}], parameters: { output: 'custom', jsonOutput: '[{"a":1},{"a":2}]', executionDuration: 1 } },
      gives: [[{ a: 1 }, { a: 2 }]],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'outputs one item for a given object',
      versions: [1],
      run: { items: [{}], parameters: { output: 'custom', jsonOutput: '={{ { a: 1 } }}', executionDuration } },
      gives: [[{ a: 1 }]],
    },
    {
      it: 'reports a string that is not JSON',
      versions: [1],
      run: { items: [{}], parameters: { output: 'custom', jsonOutput: '[{', executionDuration } },
      fails: 'Invalid JSON',
    },
    {
      it: 'rejects items that are not objects',
      versions: [1],
      run: { items: [{}], parameters: { output: 'custom', jsonOutput: '[5]', executionDuration } },
      fails: 'must be an object or an array of objects',
    },
    {
      it: 'limits its duration to a minute',
      versions: [1],
      run: { items: [{}], parameters: { executionDuration: 60_001 } },
      fails: 'must be at most 60000',
    },
  ],
};

export const simulateTriggerCases: KindCases = {
  kind: 'simulateTrigger',
  cases: [
    {
      it: 'outputs an example by default',
      versions: [1],
      run: { isStart: true, items: [{}], parameters: { executionDuration } },
      gives: [[{ my_field_1: 'value', my_field_2: 1 }]],
    },
    {
      it: 'outputs given items',
      versions: [1],
      run: { isStart: true, items: [{}], parameters: { jsonOutput: '[{"a":1},{"a":2}]', executionDuration: 1 } },
      gives: [[{ a: 1 }, { a: 2 }]],
    },
    {
      it: 'reports a string that is not JSON',
      versions: [1],
      run: { isStart: true, items: [{}], parameters: { jsonOutput: '[{', executionDuration } },
      fails: 'Invalid JSON',
    },
  ],
};
