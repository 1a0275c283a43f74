import type { KindDescriptor } from '../descriptor';
import { choice, flag, text } from './build-parameters';
import { withHelp } from './with-help';

const FORMATS = [
  choice('csv', 'CSV'),
  choice('html', 'HTML'),
  choice('ods', 'ODS'),
  choice('rtf', 'RTF'),
  choice('xls', 'XLS'),
  choice('xlsx', 'XLSX'),
];

const HELP = {
  operation: 'Read a table, or write one.',
  fileFormat: 'What the file holds, or is to hold.',
  binaryPropertyName: 'The field of the file.',
  options: 'Less common settings.',
} as const;

/** Reads and writes tables: the older form of convertToFile and extractFromFile. */
export const spreadsheetFile: KindDescriptor = {
  kind: 'spreadsheetFile',
  label: 'Spreadsheet file',
  description: 'Reads a table out of a file, or writes one.',
  versions: [1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'fromFile',
      options: [choice('fromFile', 'Read'), choice('toFile', 'Write')],
    },
    {
      name: 'fileFormat',
      label: 'Format',
      type: 'options',
      default: 'autodetect',
      shownWhen: { operation: ['fromFile'] },
      options: [choice('autodetect', 'As the file says'), ...FORMATS],
    },
    {
      name: 'fileFormat',
      label: 'Format',
      type: 'options',
      default: 'xls',
      shownWhen: { operation: ['toFile'] },
      options: FORMATS,
    },
    { name: 'binaryPropertyName', label: 'Name of the file in the item', type: 'string', default: 'data' },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['fromFile'] },
      fields: [
        text('delimiter', 'Sign between values'),
        text('encoding', 'Encoding'),
        flag('enableBOM', 'Leave the byte order mark out', false),
        { name: 'fromLine', label: 'First line', type: 'number', default: 0 },
        flag('headerRow', 'First row holds names', true),
        flag('includeEmptyCells', 'Include empty cells', false),
        { name: 'maxRowCount', label: 'Rows at most', type: 'number', default: -1 },
        flag('relaxQuotes', 'Allow stray quotes', false),
        text('range', 'Range'),
        flag('rawData', 'Keep texts', false),
        flag('readAsString', 'File is text', false),
        text('sheetName', 'Sheet'),
      ],
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['toFile'] },
      fields: [
        flag('compression', 'Compress', false),
        text('delimiter', 'Sign between values'),
        text('fileName', 'Name of the file'),
        flag('headerRow', 'First row holds names', true),
        text('sheetName', 'Sheet'),
      ],
    },
  ]),
};
