import type { KindDescriptor } from '../descriptor';
import { choice, flag, options, text } from './build-parameters';
import { eventParameters } from './event-parameters';
import { withHelp } from './with-help';

const HELP = {
  operation: 'The format of the file.',
  mode: 'One file with a list of all items, or a file for each item.',
  sourceProperty: 'The field whose value the file holds; dots mean nesting.',
  binaryPropertyName: 'The field of the item that gets the file.',
  options: 'Less common settings of the file.',
  'options.fileName': 'With its ending.',
  'options.delimiter': 'A comma otherwise.',
  'options.headerRow': 'The names of the fields are in the first row.',
  'options.encoding': 'UTF-8 otherwise.',
  'options.addBOM': 'For programs that need it to tell UTF-8.',
  'options.format': 'JSON with line breaks and indentation.',
  'options.dataIsBase64': 'Turned off, the text itself is the file.',
} as const;

/** Puts items into files. */
export const convertToFile: KindDescriptor = {
  kind: 'convertToFile',
  label: 'Convert to file',
  description: 'Puts what items hold into files.',
  versions: [1, 1.1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Make',
      type: 'options',
      default: 'csv',
      options: [
        choice('csv', 'CSV'),
        choice('html', 'HTML table'),
        choice('iCal', 'Calendar event'),
        choice('toJson', 'JSON'),
        choice('ods', 'ODS'),
        choice('rtf', 'RTF'),
        choice('toText', 'Text'),
        choice('xls', 'XLS'),
        choice('xlsx', 'XLSX'),
        choice('toBinary', 'File of base64 text'),
      ],
    },
    {
      name: 'mode',
      label: 'Items',
      type: 'options',
      default: 'once',
      shownWhen: { operation: ['toJson'] },
      options: [choice('once', 'All in one file'), choice('each', 'A file for each')],
    },
    {
      name: 'sourceProperty',
      label: 'Field',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { operation: ['toText', 'toBinary'] },
    },
    ...eventParameters({ operation: ['iCal'] }),
    { name: 'binaryPropertyName', label: 'Name of the file in the item', type: 'string', default: 'data' },
    options(
      ['csv', 'html', 'ods', 'rtf', 'xls', 'xlsx'],
      [
        text('fileName', 'Name of the file'),
        flag('headerRow', 'First row holds names', true),
        text('delimiter', 'Sign between values'),
        text('sheetName', 'Sheet'),
        flag('compression', 'Compress', false),
        text('encoding', 'Encoding'),
      ],
    ),
    options(
      ['toJson', 'toText', 'toBinary'],
      [
        text('fileName', 'Name of the file'),
        text('mimeType', 'Type of the file'),
        text('encoding', 'Encoding'),
        flag('addBOM', 'Add a byte order mark', false),
        flag('format', 'Indent', false),
        { ...flag('dataIsBase64', 'Text is base64', true), until: 1 },
      ],
    ),
  ]),
};
