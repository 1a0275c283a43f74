import type { KindCases } from '../testing/cases/node-case';
import { pdfOf } from '../testing/files/pdf-of';
import { sheetOf } from '../testing/files/sheet-of';

const CALENDAR = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20240101T000000Z'],
  ...['DTSTART:20240101T000000Z', 'SUMMARY:Hi', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n');

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
      it: 'includes the fields of the item if configured',
      versions: [1, 1.1],
      run: {
        items: [{ old: 1 }],
        parameters: { operation: 'text', destinationKey: 't', options: { keepSource: 'json' } },
      },
      withFiles: { data: { content: 'hi' } },
      gives: [[{ old: 1, t: 'hi' }]],
    },
    {
      it: 'skips unreadable rows if configured',
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
      it: 'limits the number of skipped rows',
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
      fails: "contain a binary file 'other', but none was found",
    },
    ...(['html', 'ods', 'rtf', 'xls', 'xlsx'] as const).map((operation) => ({
      it: `creates an item from each row (${operation})`,
      versions: [1, 1.1],
      run: { items: [{ old: 1 }], parameters: { operation } },
      withFiles: { data: { content: sheetOf(operation, [{ n: 1, t: 'x' }, { n: 2 }]) } },
      gives: [[{ n: 1, t: 'x' }, { n: 2 }]],
      pairs: [[{ item: 0 }, { item: 0 }]],
    })),
    {
      it: 'lists the existing sheets',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'xlsx', options: { sheetName: 'Other' } } },
      withFiles: { data: { content: sheetOf('xlsx', [{ n: 1 }]) } },
      fails: 'The file has no sheet called "Other". Its sheets: Sheet',
    },
    {
      it: 'reads the events of a calendar',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'fromIcs' } },
      withFiles: { data: { content: CALENDAR } },
      gives: [[{ data: expect.objectContaining({ events: [expect.objectContaining({ summary: 'Hi', uid: '1' })] }) }]],
    },
    {
      it: 'reads the text of a PDF',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'pdf' } },
      withFiles: { data: { content: pdfOf('Hello there') } },
      gives: [[expect.objectContaining({ numpages: 1, text: 'Hello there' })]],
    },
    {
      it: 'reads XML as text',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'xml' } },
      withFiles: { data: { content: '<a/>' } },
      gives: [[{ data: '<a/>' }]],
    },
    {
      it: 'reads any file as base64',
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'binaryToPropery' } },
      withFiles: { data: { content: Uint8Array.of(1, 2) } },
      gives: [[{ data: 'AQI=' }]],
    },
    ...(
      [
        ['UTF-8 with a byte order mark', Buffer.from('\ufeffö')],
        ['UTF-16', Buffer.from('\ufeffö', 'utf16le')],
        ['UTF-16 in the other order', Uint8Array.of(0xfe, 0xff, 0, 0xf6)],
        ['Windows-1252', Uint8Array.of(0xf6)],
      ] as const
    ).map(([encoding, content]) => ({
      it: `detects ${encoding} in text that declares no encoding`,
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation: 'text' } },
      withFiles: { data: { content } },
      gives: [[{ data: 'ö' }]],
    })),
    ...(
      [
        ['fromJson', 'The file is not valid JSON'],
        ['pdf', 'The file is not a PDF'],
      ] as const
    ).map(([operation, fails]) => ({
      it: `reports a file of another format (${operation})`,
      versions: [1, 1.1],
      run: { items: [{}], parameters: { operation } },
      withFiles: { data: { content: 'no,thing' } },
      fails,
    })),
  ],
};
