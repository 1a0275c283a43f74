import type { KindCases } from '../testing/node-case';

export const spreadsheetFileCases: KindCases = {
  kind: 'spreadsheetFile',
  cases: [
    {
      it: 'creates an item from each row',
      versions: [1, 2],
      run: { items: [{}], parameters: { fileFormat: 'csv' } },
      withFiles: { data: { content: 'a,b\nx,y\n', fileName: 'in.csv', mimeType: 'text/csv' } },
      gives: [[{ a: 'x', b: 'y' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'reads numbers in CSV as numbers',
      versions: [1],
      run: { items: [{}], parameters: { fileFormat: 'csv' } },
      withFiles: { data: { content: 'a\n5\n', fileName: 'in.csv', mimeType: 'text/csv' } },
      gives: [[{ a: 5 }]],
    },
    {
      it: 'reads values in CSV as texts',
      versions: [2],
      run: { items: [{}], parameters: { fileFormat: 'csv' } },
      withFiles: { data: { content: 'a\n5\n', fileName: 'in.csv', mimeType: 'text/csv' } },
      gives: [[{ a: '5' }]],
    },
    {
      it: 'writes all items into one file',
      versions: [1, 2],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { operation: 'toFile', fileFormat: 'csv' } },
      gives: [[{}]],
      files: [{ data: expect.stringMatching(/a\r?\n1\r?\n2/) }],
    },
  ],
};
