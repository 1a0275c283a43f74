import type { KindCases } from '../testing/node-case';

export const extractFromFileCases: KindCases = {
  kind: 'extractFromFile',
  cases: [
    {
      it: 'creates an item from each CSV row',
      versions: [1, 1.1],
      run: { items: [{ old: 1 }] },
      withFiles: { data: { content: 'a,b\n1,x\n2,y\n' } },
      gives: [
        [
          { a: '1', b: 'x' },
          { a: '2', b: 'y' },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 0 }]],
    },
    {
      it: 'reads JSON into a field',
      versions: [1, 1.1],
      run: { items: [{ old: 1 }], parameters: { operation: 'fromJson' } },
      withFiles: { data: { content: '{"a":[1]}' } },
      gives: [[{ data: { a: [1] } }]],
    },
    {
      it: 'includes the fields of the item if asked for',
      versions: [1, 1.1],
      run: {
        items: [{ old: 1 }],
        parameters: { operation: 'text', destinationKey: 't', options: { keepSource: 'json' } },
      },
      withFiles: { data: { content: 'hi' } },
      gives: [[{ old: 1, t: 'hi' }]],
    },
    {
      it: 'skips rows that cannot be read if asked for',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { options: { skipRecordsWithErrors: { value: { enabled: true } } } } },
      withFiles: { data: { content: 'a,b\n1,2\n3\n4,5\n' } },
      gives: [
        [
          { a: '1', b: '2' },
          { a: '4', b: '5' },
        ],
      ],
    },
    {
      it: 'skips no more rows than it may',
      versions: [1, 1.1],
      run: {
        items: [{}],
        parameters: { options: { skipRecordsWithErrors: { value: { enabled: true, maxSkippedRecords: 1 } } } },
      },
      withFiles: { data: { content: 'a,b\n1,2\n3\n4\n' } },
      fails: 'more than the 1 that may be skipped',
    },
    {
      it: 'reports a missing file',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { binaryPropertyName: 'other' } },
      fails: 'The item has no file under "other"',
    },
  ],
};
