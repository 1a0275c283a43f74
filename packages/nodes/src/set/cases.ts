import type { KindCases } from '../testing/node-case';

const items = [{ a: 1, b: { c: 2 } }];
const LATER = [3.3, 3.4];

export const setCases: KindCases = {
  kind: 'set',
  cases: [
    {
      it: 'adds values and keeps the item, all as they are stated',
      versions: [1],
      run: {
        items,
        parameters: {
          values: { number: [{ name: 'n', value: '5' }], string: [{ name: 's', value: '={{ $json.a }}' }] },
        },
      },
      gives: [[{ a: 1, b: { c: 2 }, n: '5', s: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'adds values and keeps the item, numbers as numbers',
      versions: [2],
      run: {
        items,
        parameters: { values: { number: [{ name: 'n', value: '5' }], boolean: [{ name: 'b.d', value: true }] } },
      },
      gives: [[{ a: 1, b: { c: 2, d: true }, n: 5 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'keeps only what is set where that is asked for',
      versions: [1, 2],
      run: { items, parameters: { keepOnlySet: true, values: { string: [{ name: 's', value: 'x' }] } } },
      gives: [[{ s: 'x' }]],
    },
    {
      it: 'sets typed fields and keeps all others by itself',
      versions: [3, 3.1, 3.2],
      run: {
        items,
        parameters: {
          fields: {
            values: [
              { name: 'n', type: 'numberValue', numberValue: '={{ $json.a + 1 }}' },
              { name: 'b.d', stringValue: 'x' },
            ],
          },
        },
      },
      gives: [[{ a: 1, b: { c: 2, d: 'x' }, n: 2 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'writes a missing value as text',
      versions: [3],
      run: {
        items,
        parameters: { include: 'none', fields: { values: [{ name: 's', stringValue: '={{ $json.zz }}' }] } },
      },
      gives: [[{ s: 'undefined' }]],
    },
    {
      it: 'refuses a missing value',
      versions: [3.1],
      run: {
        items,
        parameters: { include: 'none', fields: { values: [{ name: 's', stringValue: '={{ $json.zz }}' }] } },
      },
      fails: "'s' expects a string",
    },
    {
      it: 'writes a missing value as null',
      versions: [3.2],
      run: {
        items,
        parameters: { include: 'none', fields: { values: [{ name: 's', stringValue: '={{ $json.zz }}' }] } },
      },
      gives: [[{ s: null }]],
    },
    {
      it: 'sets assignments and leaves all other fields out by itself',
      versions: LATER,
      run: {
        items,
        parameters: {
          assignments: {
            assignments: [
              { name: 'n', type: 'number', value: '={{ $json.a + 1 }}' },
              { name: 'o.s', type: 'string', value: 'x' },
            ],
          },
        },
      },
      gives: [[{ n: 2, o: { s: 'x' } }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'keeps the other fields where that is asked for',
      versions: LATER,
      run: {
        items,
        parameters: {
          includeOtherFields: true,
          assignments: { assignments: [{ name: 'n', type: 'number', value: 2 }] },
        },
      },
      gives: [[{ a: 1, b: { c: 2 }, n: 2 }]],
    },
    {
      it: 'takes a whole object from JSON',
      versions: [3, 3.1, 3.2, ...LATER],
      run: { items, parameters: { mode: 'raw', include: 'none', jsonOutput: '={ "n": {{ $json.a }} }' } },
      gives: [[{ n: 1 }]],
    },
    {
      it: 'keeps files',
      versions: [1, 2],
      run: { items },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'leaves files out by itself',
      versions: [3, 3.1, 3.2, 3.3],
      run: { items, parameters: { includeOtherFields: true } },
      withFiles: { data: { content: 'x' } },
      files: [{}],
    },
    {
      it: 'keeps files where that is asked for',
      versions: [3, 3.1, 3.2, 3.3],
      run: { items, parameters: { options: { includeBinary: true } } },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'leaves files out with the other fields',
      versions: [3.4],
      run: { items, parameters: { options: { stripBinary: false } } },
      withFiles: { data: { content: 'x' } },
      files: [{}],
    },
    {
      it: 'keeps files with the other fields',
      versions: [3.4],
      run: { items, parameters: { includeOtherFields: true } },
      withFiles: { data: { content: 'x' } },
      files: [{ data: 'x' }],
    },
    {
      it: 'leaves files out where that is asked for',
      versions: [3.4],
      run: { items, parameters: { includeOtherFields: true, options: { stripBinary: true } } },
      withFiles: { data: { content: 'x' } },
      files: [{}],
    },
  ],
};
