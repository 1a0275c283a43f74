import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];

export const executionDataCases: KindCases = {
  kind: 'executionData',
  cases: [
    {
      it: 'passes its items on',
      versions: [1, 1.1],
      run: { items, parameters: { dataToSave: { values: [{ key: 'k', value: '={{ $json.n }}' }] } } },
      gives: [items],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'reports an invalid key',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { dataToSave: { values: [{ key: 'a b', value: '1' }] } } },
      fails: 'Custom data key can only contain characters "A-Za-z0-9_" (key "a b")',
    },
  ],
};
