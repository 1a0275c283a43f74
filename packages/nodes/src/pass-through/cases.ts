import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];

export const noOpCases: KindCases = {
  kind: 'noOp',
  cases: [
    { it: 'passes its items on', versions: [1], run: { items }, gives: [items], pairs: [[{ item: 0 }, { item: 1 }]] },
  ],
};

export const manualTriggerCases: KindCases = {
  kind: 'manualTrigger',
  cases: [
    {
      it: 'outputs the data of the call as one item',
      versions: [1],
      run: { isStart: true, items: [{ order: 7 }] },
      gives: [[{ order: 7 }]],
    },
    { it: 'outputs an empty item without data', versions: [1], run: { isStart: true, items: [{}] }, gives: [[{}]] },
  ],
};

export const timeSavedCases: KindCases = {
  kind: 'timeSaved',
  cases: [
    {
      it: 'passes its items on',
      versions: [1],
      run: { items, parameters: { mode: 'once', minutesSaved: 5 } },
      gives: [items],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'passes its items on, with minutes for each',
      versions: [1],
      run: { items, parameters: { mode: 'perItem', minutesSaved: 5 } },
      gives: [items],
    },
    {
      it: 'rejects a negative number',
      versions: [1],
      run: { items, parameters: { minutesSaved: -1 } },
      fails: 'Time saved cannot be negative, got: -1',
    },
  ],
};
