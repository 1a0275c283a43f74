import type { KindCases } from '../testing/node-case';

const items = [{ n: 1 }, { n: 2 }];

export const codeCases: KindCases = {
  kind: 'code',
  cases: [
    {
      it: 'runs once for all items and outputs what it returns',
      versions: [1, 2],
      run: { items, parameters: { jsCode: 'return items.map((item) => ({ json: { double: item.json.n * 2 } }))' } },
      gives: [[{ double: 2 }, { double: 4 }]],
    },
    {
      it: 'runs once for each item if asked for',
      versions: [1, 2],
      run: { items, parameters: { mode: 'runOnceForEachItem', jsCode: 'return { json: { square: $json.n ** 2 } }' } },
      gives: [[{ square: 1 }, { square: 4 }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'gives a BigInt as text',
      versions: [1, 2],
      run: { items: [{}], parameters: { jsCode: 'return [{ json: { big: 2n ** 64n, list: [1n], n: 1 } }]' } },
      gives: [[{ big: '18446744073709551616', list: ['1'], n: 1 }]],
    },
    {
      it: 'fails with the line of the error',
      versions: [1, 2],
      run: { items, parameters: { jsCode: 'const a = 1;\nthrow new Error("bad")' } },
      fails: 'bad [line 2',
    },
  ],
};
