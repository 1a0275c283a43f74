import type { KindCases } from '../testing/node-case';

export const convertToFileCases: KindCases = {
  kind: 'convertToFile',
  cases: [
    {
      it: 'writes all items into one CSV',
      versions: [1, 1.1],
      run: {
        items: [
          { a: 1, b: 'x' },
          { a: 2, b: 'y' },
        ],
      },
      gives: [[{}]],
      files: [{ data: '\uFEFFa,b\n1,x\n2,y' }],
      pairs: [[[{ item: 0 }, { item: 1 }]]],
    },
    {
      it: 'writes a JSON file for each item if asked for',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { operation: 'toJson', mode: 'each' } },
      gives: [[{}, {}]],
      files: [{ data: '{"a":1}' }, { data: '{"a":2}' }],
    },
    {
      it: 'decodes text as base64, or not, by its option',
      versions: [1],
      run: {
        items: [{ t: 'aGk=' }],
        parameters: { operation: 'toBinary', sourceProperty: 't', options: { dataIsBase64: false } },
      },
      files: [{ data: 'aGk=' }],
    },
    {
      it: 'always decodes text as base64',
      versions: [1.1],
      run: {
        items: [{ t: 'aGk=' }],
        parameters: { operation: 'toBinary', sourceProperty: 't', options: { dataIsBase64: false } },
      },
      files: [{ data: 'hi' }],
    },
    {
      it: 'names the field that is missing',
      versions: [1, 1.1],
      run: { items: [{ here: 1 }], parameters: { operation: 'toText', sourceProperty: 'gone' } },
      fails: 'The value in "gone" is not set',
    },
  ],
};
