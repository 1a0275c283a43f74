import type { KindCases } from '../testing/cases/node-case';

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
      it: 'runs once for each item if configured',
      versions: [1, 2],
      run: { items, parameters: { mode: 'runOnceForEachItem', jsCode: 'return { json: { square: $json.n ** 2 } }' } },
      gives: [[{ square: 1 }, { square: 4 }]],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'links one item made from several to the first of them',
      versions: [1, 2],
      run: { items, parameters: { jsCode: 'return [{ json: { count: items.length } }]' } },
      gives: [[{ count: 2 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'outputs a BigInt as a string',
      versions: [1, 2],
      run: { items: [{}], parameters: { jsCode: 'return [{ json: { big: 2n ** 64n, list: [1n], n: 1 } }]' } },
      gives: [[{ big: '18446744073709551616', list: ['1'], n: 1 }]],
    },
    {
      it: 'passes its input on if the result has an invalid form and the node continues',
      versions: [1, 2],
      run: { items, parameters: { jsCode: 'return 5' }, node: { onError: 'continueRegularOutput' } },
      fails: "Code doesn't return items properly",
      gives: [items],
    },
    {
      it: 'adds only the line to the error of an item',
      versions: [1, 2],
      run: {
        items,
        parameters: { mode: 'runOnceForEachItem', jsCode: 'if ($json.n === 2) throw new Error("bad"); return item' },
        node: { onError: 'continueRegularOutput' },
      },
      gives: [[{ n: 1 }, { error: 'bad [line 1]' }]],
    },
    {
      it: 'fails with the line of the error',
      versions: [1, 2],
      run: { items, parameters: { jsCode: 'const a = 1;\nthrow new Error("bad")' } },
      fails: 'bad [line 2',
    },
  ],
};

export const aiTransformCases: KindCases = {
  kind: 'aiTransform',
  cases: [
    {
      it: 'runs its code once for all items',
      versions: [1],
      run: {
        items,
        parameters: {
          instructions: 'Double n',
          jsCode: 'return $input.all().map((item) => ({ double: item.json.n * 2 }))',
        },
      },
      gives: [[{ double: 2 }, { double: 4 }]],
    },
    {
      it: 'fails with the line of the error',
      versions: [1],
      run: { items, parameters: { jsCode: 'throw new Error("bad")' } },
      fails: 'bad [line 1',
    },
    {
      it: 'never generates code',
      versions: [1],
      run: { items, parameters: { instructions: 'Double n' } },
      fails: 'Missing code for data transformation',
    },
  ],
};
