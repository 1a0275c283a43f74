import type { KindCases } from './testing/node-case';

/** What Manual trigger promises. */
export const manualTriggerCases: KindCases = {
  kind: 'manualTrigger',
  cases: [
    {
      it: 'gives the data of the call as one item',
      versions: [1],
      run: { isStart: true, items: [{ order: 7 }] },
      gives: [[{ order: 7 }]],
    },
    { it: 'gives an empty item without data', versions: [1], run: { isStart: true, items: [{}] }, gives: [[{}]] },
  ],
};
