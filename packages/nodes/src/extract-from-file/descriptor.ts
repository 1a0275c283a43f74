import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, options, SKIP_RECORDS, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const KEEP: ParameterDescriptor = {
  name: 'keepSource',
  label: 'Keep source',
  type: 'options',
  options: [choice('json', 'Fields'), choice('binary', 'Files'), choice('both', 'Both')],
};

const HELP = {
  operation: 'Format of the file.',
  binaryPropertyName: 'Name of the binary field.',
  destinationKey: 'Name of the output field, in dot notation.',
  options: 'Additional options.',
  'options.keepSource': 'Default: nothing is kept.',
  'options.headerRow': 'If off, each item is `{ row: [...] }`.',
  'options.fromLine': 'Lines before it are skipped.',
  'options.maxRowCount': '-1 for all.',
  'options.includeEmptyCells': 'Outputs empty values as empty strings instead of omitting them.',
  'options.relaxQuotes': 'Treats quotation marks within a value as part of it.',
  'options.range': 'For example `A2:F10`, or the number of the first row.',
  'options.sheetName': 'Default: the first one.',
  'options.maxPages': 'Default: all. With 0, only the metadata of the file.',
  'options.joinPages': 'Outputs one string instead of an array of pages.',
  'options.password': 'Password of an encrypted file.',
  'options.encoding': 'Default: by the byte order mark, the declaration in the file, else UTF-8 or Windows-1252.',
  'options.enableBOM': 'Without effect: a byte order mark is never part of the first name.',
} as const;

export const extractFromFile: KindDescriptor = {
  kind: 'extractFromFile',
  label: 'Extract from file',
  description: 'Extracts data from a file: an item per row for tables, a field for any other format.',
  versions: [1, 1.1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'csv',
      options: [
        choice('csv', 'CSV'),
        choice('html', 'HTML table'),
        choice('fromIcs', 'Calendar'),
        choice('fromJson', 'JSON'),
        choice('ods', 'ODS'),
        choice('pdf', 'PDF'),
        choice('rtf', 'RTF'),
        choice('text', 'Text'),
        choice('xml', 'Extract from XML'),
        choice('xls', 'XLS'),
        choice('xlsx', 'XLSX'),
        choice('binaryToPropery', 'Move file to base64 string'),
      ],
    },
    { name: 'binaryPropertyName', label: 'Binary field', type: 'string', default: 'data' },
    {
      name: 'destinationKey',
      label: 'Destination output field',
      type: 'string',
      default: 'data',
      shownWhen: { operation: ['binaryToPropery', 'fromJson', 'text', 'fromIcs', 'xml'] },
    },
    options(
      ['csv'],
      [
        text('delimiter', 'Delimiter'),
        text('encoding', 'Encoding'),
        flag('enableBOM', 'Exclude byte order mark (BOM)', false),
        { name: 'fromLine', label: 'Starting line', type: 'number', default: 0 },
        flag('headerRow', 'Header row', true),
        flag('includeEmptyCells', 'Include empty cells', false),
        { name: 'maxRowCount', label: 'Maximum number of rows', type: 'number', default: -1 },
        flag('relaxQuotes', 'Relax quotes', false),
        SKIP_RECORDS,
      ],
    ),
    options(
      ['html', 'ods', 'rtf', 'xls', 'xlsx'],
      [
        flag('headerRow', 'Header row', true),
        flag('includeEmptyCells', 'Include empty cells', false),
        text('range', 'Range'),
        flag('rawData', 'Raw data', false),
        flag('readAsString', 'Read as string', false),
        text('sheetName', 'Sheet'),
      ],
    ),
    options(
      ['pdf'],
      [
        flag('joinPages', 'Join pages', true),
        KEEP,
        { name: 'maxPages', label: 'Maximum number of pages', type: 'number' },
        text('password', 'Password'),
      ],
    ),
    options(
      ['binaryToPropery', 'fromJson', 'text', 'fromIcs', 'xml'],
      [text('encoding', 'Encoding'), flag('stripBOM', 'Exclude byte order mark (BOM)', true), KEEP],
    ),
  ]),
};
