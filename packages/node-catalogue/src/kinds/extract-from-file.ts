import type { KindDescriptor, ParameterDescriptor } from '../descriptor';
import { choice, flag, options, text } from './build-parameters';
import { withHelp } from './with-help';

const KEEP: ParameterDescriptor = {
  name: 'keepSource',
  label: 'Keep of the item',
  type: 'options',
  options: [choice('json', 'Fields'), choice('binary', 'Files'), choice('both', 'Both')],
};

const HELP = {
  operation: 'What the file holds.',
  binaryPropertyName: 'The field of the file.',
  destinationKey: 'The field that gets what was read; dots mean nesting.',
  options: 'How the file is read.',
  'options.keepSource': 'Nothing is kept where it is not stated.',
  'options.headerRow': 'Turned off, each item is `{ row: [...] }`.',
  'options.fromLine': 'Lines before it are passed over.',
  'options.maxRowCount': '-1: all.',
  'options.includeEmptyCells': 'Empty values become empty texts instead of being left out.',
  'options.relaxQuotes': 'Quotation marks within a value are part of it.',
  'options.range': 'For example `A2:F10`, or the number of the first row.',
  'options.sheetName': 'The first one otherwise.',
  'options.maxPages': '0: all.',
  'options.joinPages': 'One text, instead of a list of pages.',
  'options.password': 'For files that are locked.',
  'options.encoding': 'UTF-8 otherwise.',
} as const;

/** Reads files into items. */
export const extractFromFile: KindDescriptor = {
  kind: 'extractFromFile',
  label: 'Extract from file',
  description: 'Reads what a file holds: a table becomes an item for each row, anything else a field.',
  versions: [1, 1.1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Read',
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
        choice('xml', 'XML as text'),
        choice('xls', 'XLS'),
        choice('xlsx', 'XLSX'),
        choice('binaryToPropery', 'Any file as base64 text'),
      ],
    },
    { name: 'binaryPropertyName', label: 'Name of the file in the item', type: 'string', default: 'data' },
    {
      name: 'destinationKey',
      label: 'Field',
      type: 'string',
      default: 'data',
      shownWhen: { operation: ['binaryToPropery', 'fromJson', 'text', 'fromIcs', 'xml'] },
    },
    options(
      ['csv'],
      [
        text('delimiter', 'Sign between values'),
        text('encoding', 'Encoding'),
        flag('enableBOM', 'Leave the byte order mark out', false),
        { name: 'fromLine', label: 'First line', type: 'number', default: 0 },
        flag('headerRow', 'First row holds names', true),
        flag('includeEmptyCells', 'Include empty cells', false),
        { name: 'maxRowCount', label: 'Rows at most', type: 'number', default: -1 },
        flag('relaxQuotes', 'Allow stray quotes', false),
        {
          name: 'skipRecordsWithErrors',
          label: 'Skip bad rows',
          type: 'fixedCollection',
          groups: [
            {
              name: 'value',
              label: 'Skip',
              fields: [
                flag('enabled', 'Skip', false),
                { name: 'maxSkippedRecords', label: 'At most', type: 'number', default: -1 },
              ],
            },
          ],
        },
      ],
    ),
    options(
      ['html', 'ods', 'rtf', 'xls', 'xlsx'],
      [
        flag('headerRow', 'First row holds names', true),
        flag('includeEmptyCells', 'Include empty cells', false),
        text('range', 'Range'),
        flag('rawData', 'Keep texts', false),
        flag('readAsString', 'File is text', false),
        text('sheetName', 'Sheet'),
      ],
    ),
    options(
      ['pdf'],
      [
        flag('joinPages', 'Join the pages', true),
        KEEP,
        { name: 'maxPages', label: 'Pages at most', type: 'number', default: 0 },
        text('password', 'Password'),
      ],
    ),
    options(
      ['binaryToPropery', 'fromJson', 'text', 'fromIcs', 'xml'],
      [text('encoding', 'Encoding'), flag('stripBOM', 'Leave the byte order mark out', true), KEEP],
    ),
  ]),
};
