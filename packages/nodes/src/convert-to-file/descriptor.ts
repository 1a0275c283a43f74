import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, options, text } from '../descriptors/build-parameters';
import { eventParameters } from '../descriptors/event-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  operation: 'Format of the file.',
  mode: 'One file with an array of all items, or one file per item.',
  sourceProperty: 'Name of the input field, in dot notation.',
  binaryPropertyName: 'Name of the binary field that the file is put in.',
  options: 'Additional options of the file.',
  'options.fileName': 'Includes the extension.',
  'options.delimiter': 'Default: a comma.',
  'options.headerRow': 'Writes the field names to the first row.',
  'options.encoding': 'Default: UTF-8.',
  'options.addBOM': 'Needed by some programs to recognize UTF-8.',
  'options.format': 'Formats the JSON with line breaks and indentation.',
  'options.dataIsBase64': 'If off, the string itself becomes the file.',
} as const;

/** Writes items into files. */
export const convertToFile: KindDescriptor = {
  kind: 'convertToFile',
  label: 'Convert to file',
  description: 'Converts item data to files.',
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
        choice('iCal', 'Calendar event'),
        choice('toJson', 'JSON'),
        choice('ods', 'ODS'),
        choice('rtf', 'RTF'),
        choice('toText', 'Text'),
        choice('xls', 'XLS'),
        choice('xlsx', 'XLSX'),
        choice('toBinary', 'Base64 string to file'),
      ],
    },
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'once',
      shownWhen: { operation: ['toJson'] },
      options: [choice('once', 'All items to one file'), choice('each', 'Each item to separate file')],
    },
    {
      name: 'sourceProperty',
      label: 'Input field',
      type: 'string',
      default: '',
      required: true,
      shownWhen: { operation: ['toText', 'toBinary'] },
    },
    ...eventParameters({ operation: ['iCal'] }),
    { name: 'binaryPropertyName', label: 'Binary field', type: 'string', default: 'data' },
    options(
      ['csv', 'html', 'ods', 'rtf', 'xls', 'xlsx'],
      [
        text('fileName', 'File name'),
        flag('headerRow', 'Header row', true),
        text('delimiter', 'Delimiter'),
        text('sheetName', 'Sheet'),
        flag('compression', 'Compress', false),
        text('encoding', 'Encoding'),
      ],
    ),
    options(
      ['toJson', 'toText', 'toBinary'],
      [
        text('fileName', 'File name'),
        text('mimeType', 'MIME type'),
        text('encoding', 'Encoding'),
        flag('addBOM', 'Add byte order mark (BOM)', false),
        flag('format', 'Indent', false),
        { ...flag('dataIsBase64', 'Data is base64 encoded', true), until: 1 },
      ],
    ),
  ]),
};
