import type { KindCases } from '../testing/cases/node-case';

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
      it: 'reads values in CSV as strings',
      versions: [2],
      run: { items: [{}], parameters: { fileFormat: 'csv' } },
      withFiles: { data: { content: 'a\n5\n', fileName: 'in.csv', mimeType: 'text/csv' } },
      gives: [[{ a: '5' }]],
    },
    {
      it: 'skips empty lines, and unreadable records if configured',
      versions: [2],
      run: {
        items: [{}],
        parameters: { fileFormat: 'csv', options: { skipRecordsWithErrors: { value: { enabled: true } } } },
      },
      withFiles: { data: { content: 'a,b\n1,2\n\n3\n4,5\n', fileName: 'in.csv', mimeType: 'text/csv' } },
      gives: [
        [
          { a: '1', b: '2' },
          { a: '4', b: '5' },
        ],
      ],
    },
    {
      it: 'limits the number of skipped records',
      versions: [2],
      run: {
        items: [{}],
        parameters: {
          fileFormat: 'csv',
          options: { skipRecordsWithErrors: { value: { enabled: true, maxSkippedRecords: 1 } } },
        },
      },
      withFiles: { data: { content: 'a,b\n1\n2\n4,5\n', fileName: 'in.csv', mimeType: 'text/csv' } },
      fails: 'more than the 1 that may be skipped',
    },
    {
      it: 'writes all items into one file',
      versions: [1, 2],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { operation: 'toFile', fileFormat: 'csv' } },
      gives: [[{}]],
      files: [{ data: expect.stringMatching(/a\r?\n1\r?\n2/) }],
    },
    {
      it: 'reports a field without a file',
      versions: [1, 2],
      run: { items: [{}], parameters: { binaryPropertyName: 'other' } },
      fails: "contain a binary file 'other', but none was found",
    },
  ],
};
