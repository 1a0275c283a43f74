import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, SKIP_RECORDS, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const FORMATS = [
  choice('csv', 'CSV'),
  choice('html', 'HTML'),
  choice('ods', 'ODS'),
  choice('rtf', 'RTF'),
  choice('xls', 'XLS'),
  choice('xlsx', 'XLSX'),
];

const HELP = {
  operation: 'Whether to read from a file or write to one.',
  fileFormat: 'Format of the file.',
  binaryPropertyName: 'Name of the binary field.',
  options: 'Additional options.',
} as const;

/** Reads and writes tables: the older form of convertToFile and extractFromFile. */
export const spreadsheetFile: KindDescriptor = {
  kind: 'spreadsheetFile',
  label: 'Spreadsheet file',
  description: 'Reads or writes spreadsheet files.',
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
      options: [choice('autodetect', 'Autodetect'), ...FORMATS],
    },
    {
      name: 'fileFormat',
      label: 'Format',
      type: 'options',
      default: 'xls',
      shownWhen: { operation: ['toFile'] },
      options: FORMATS,
    },
    { name: 'binaryPropertyName', label: 'Binary field', type: 'string', default: 'data' },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { operation: ['fromFile'] },
      fields: [
        text('delimiter', 'Delimiter'),
        text('encoding', 'Encoding'),
        flag('enableBOM', 'Exclude byte order mark (BOM)', false),
        { name: 'fromLine', label: 'Starting line', type: 'number', default: 0 },
        flag('headerRow', 'Header row', true),
        flag('includeEmptyCells', 'Include empty cells', false),
        { name: 'maxRowCount', label: 'Maximum number of rows', type: 'number', default: -1 },
        flag('relaxQuotes', 'Relax quotes', false),
        { ...SKIP_RECORDS, since: 2 },
        text('range', 'Range'),
        flag('rawData', 'Raw data', false),
        flag('readAsString', 'Read as string', false),
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
        text('delimiter', 'Delimiter'),
        text('fileName', 'File name'),
        flag('headerRow', 'Header row', true),
        text('sheetName', 'Sheet'),
      ],
    },
  ]),
};
