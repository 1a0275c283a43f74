import type { KindCases } from '../testing/cases/node-case';

const withFiles = { data: { content: '{"a":1}', fileName: 'in.json', mimeType: 'application/json' } };

export const moveBinaryDataCases: KindCases = {
  kind: 'moveBinaryData',
  cases: [
    {
      it: 'reads the content of the file into the item',
      versions: [1, 1.1],
      run: { items: [{ old: 1 }] },
      withFiles,
      gives: [[{ a: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'reads the content of the file into a field',
      versions: [1, 1.1],
      run: { items: [{ old: 1 }], parameters: { setAllData: false, destinationKey: 'text' } },
      withFiles,
      gives: [[{ old: 1, text: '{"a":1}' }]],
    },
    {
      it: 'writes the item into a file',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }], parameters: { mode: 'jsonToBinary' } },
      gives: [[{}]],
      files: [{ data: '{"a":1}' }],
    },
    {
      it: 'reports a file without JSON',
      versions: [1, 1.1],
      run: { items: [{}] },
      withFiles: { data: { content: 'no' } },
      fails: 'The file is not valid JSON',
    },
    {
      it: 'passes all its items on if it continues and one of them has a file without JSON',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }, { a: 2 }], node: { onError: 'continueRegularOutput' } },
      withFiles: { data: { content: 'no' } },
      gives: [[{ a: 1 }, { a: 2 }]],
      fails: 'The file is not valid JSON',
    },
  ],
};
