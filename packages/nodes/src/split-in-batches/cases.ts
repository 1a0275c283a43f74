import type { KindCases } from '../testing/cases/node-case';

const items = Array.from({ length: 12 }, (_, n) => ({ n }));

/** Output of the first arrival at Loop over items; its tests cover the whole loop. */
export const splitInBatchesCases: KindCases = {
  kind: 'splitInBatches',
  cases: [
    {
      it: 'outputs ten items by default, on its only output',
      versions: [1],
      run: { items },
      gives: [items.slice(0, 10)],
    },
    {
      it: 'outputs ten items by default, on its first output',
      versions: [2],
      run: { items },
      gives: [items.slice(0, 10), []],
    },
    {
      it: 'outputs one item by default, on its second output',
      versions: [3],
      run: { items },
      gives: [[], items.slice(0, 1)],
      pairs: [[], [{ item: 0 }]],
    },
    {
      it: 'outputs only its first item if it is executed once',
      versions: [1],
      run: { items, parameters: { batchSize: 5 }, node: { executeOnce: true } },
      gives: [items.slice(0, 1)],
    },
    {
      it: 'outputs only its first item if it is executed once, on its second output',
      versions: [3],
      run: { items, parameters: { batchSize: 5 }, node: { executeOnce: true } },
      gives: [[], items.slice(0, 1)],
    },
    {
      it: 'rejects a batch size below 1',
      versions: [1, 2, 3],
      run: { items, parameters: { batchSize: 0 } },
      fails: 'at least 1',
    },
  ],
};
