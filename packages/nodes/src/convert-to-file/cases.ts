import type { KindCases } from '../testing/cases/node-case';

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
      it: 'writes a JSON file for each item if configured',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { operation: 'toJson', mode: 'each' } },
      gives: [[{}, {}]],
      files: [{ data: '{"a":1}' }, { data: '{"a":2}' }],
    },
    {
      it: 'decodes text as base64, or not, according to its option',
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
      it: 'reports a missing field',
      versions: [1, 1.1],
      run: { items: [{ here: 1 }], parameters: { operation: 'toText', sourceProperty: 'gone' } },
      fails: 'The value in "gone" is not set',
    },
    {
      it: 'writes all items into one JSON file',
      versions: [1, 1.1],
      run: { items: [{ a: 1 }, { a: 2 }], parameters: { operation: 'toJson' } },
      gives: [[{}]],
      files: [{ data: '[{"a":1},{"a":2}]' }],
    },
    {
      it: 'writes a calendar event for each item',
      versions: [1, 1.1],
      run: {
        items: [{ title: 'Launch' }],
        parameters: {
          operation: 'iCal',
          title: '={{ $json.title }}',
          start: '2024-01-03T10:00:00',
          end: '2024-01-03T11:00:00',
        },
      },
      gives: [[{}]],
      files: [
        {
          data: expect.stringMatching(
            /SUMMARY:Launch[^]*DTSTART:20240103T100000Z|DTSTART:20240103T100000Z[^]*SUMMARY:Launch/,
          ),
        },
      ],
    },
    {
      it: 'reports an invalid event time',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'iCal', start: 'soon', end: '2024-01-03T11:00:00' } },
      fails: 'The parameter "start" must be a date and time, but it is "soon"',
    },
    ...(
      [
        ['html', /<table>[^]*<td[^>]*>x<\/td>/],
        ['ods', /^PK/],
        ['rtf', /^\{\\rtf1/],
        ['xls', /./],
        ['xlsx', /^PK/],
      ] as const
    ).map(([operation, start]) => ({
      it: `writes all items into one file (${operation})`,
      versions: [1, 1.1],
      run: { items: [{ a: 1, b: 'x' }, { a: 2 }], parameters: { operation } },
      gives: [[{}]],
      pairs: [[[{ item: 0 }, { item: 1 }]]],
      files: [{ data: expect.stringMatching(start) }],
    })),
    {
      it: 'reports the maximum length of a cell',
      versions: [1, 1.1],
      run: { items: [{ a: 'x'.repeat(32_768) }], parameters: { operation: 'xlsx' } },
      fails: 'A cell can hold at most 32767 characters',
    },
  ],
};
