import type { KindCases } from '../testing/cases/node-case';

const items = [{ n: 1 }, { n: 2 }];

export const functionCases: KindCases = {
  kind: 'function',
  cases: [
    {
      it: 'runs once for all items',
      versions: [1, 2],
      run: { items, parameters: { functionCode: 'items.push({ json: { n: items.length + 1 } }); return items' } },
      gives: [[{ n: 1 }, { n: 2 }, { n: 3 }]],
    },
    {
      it: 'links one item made from several to the first of them',
      versions: [1, 2],
      run: { items, parameters: { functionCode: 'return [{ json: { count: items.length } }]' } },
      gives: [[{ count: 2 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'adds a field to each item without code',
      versions: [1, 2],
      run: { items, parameters: {} },
      gives: [
        [
          { n: 1, myNewField: 1 },
          { n: 2, myNewField: 1 },
        ],
      ],
    },
    {
      it: 'requires an array of items as result',
      versions: [1, 2],
      run: { items, parameters: { functionCode: 'return 1' } },
      fails: 'Always an Array of items has to be returned!',
    },
  ],
};

export const functionItemCases: KindCases = {
  kind: 'functionItem',
  cases: [
    {
      it: 'runs once for each item and changes it',
      versions: [1],
      run: { items, parameters: { functionCode: 'item.at = index; return item' } },
      gives: [
        [
          { n: 1, at: 0 },
          { n: 2, at: 1 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'adds a field to each item without code',
      versions: [1],
      run: { items, parameters: {} },
      gives: [
        [
          { n: 1, myNewField: 1 },
          { n: 2, myNewField: 1 },
        ],
      ],
    },
    {
      it: 'reads and replaces the files of its item',
      versions: [1],
      run: {
        items: [{}],
        parameters: {
          functionCode:
            'const { data } = getBinaryData(); item.type = data.mimeType; ' +
            'setBinaryData({ copy: { data: "aGk=", mimeType: "text/plain", fileName: "b.txt" } }); return item',
        },
      },
      withFiles: { data: { content: 'hi' } },
      gives: [[{ type: 'text/plain' }]],
      files: [{ copy: 'hi' }],
    },
    {
      it: 'keeps the files of an item if it sets none',
      versions: [1],
      run: { items: [{}], parameters: { functionCode: 'return { has: getBinaryData() !== undefined }' } },
      withFiles: { data: { content: 'hi' } },
      gives: [[{ has: true }]],
      files: [{ data: 'hi' }],
    },
    {
      it: 'wants code',
      versions: [1],
      run: { items, parameters: { functionCode: 5 } },
      fails: 'The node has no code',
    },
    {
      it: 'outputs only the error at its error output',
      versions: [1],
      run: {
        items,
        parameters: { functionCode: 'if (item.n === 2) throw new Error("boom"); return item' },
        node: { onError: 'continueErrorOutput' },
      },
      gives: [[{ n: 1 }], [{ error: 'boom [Line 1 | Item Index: 1]' }]],
      pairs: [[{ item: 0 }], [undefined]],
    },
  ],
};
