import type { KindDescriptor } from '../descriptor';
import { choice, flag, text } from './build-parameters';
import { withHelp } from './with-help';

const HELP = {
  mode: 'Which way.',
  setAllData: 'Turned off, the data goes into one field.',
  convertAllData: 'Turned off, one field goes into the file.',
  sourceKey: 'The field of the file, or the field of the data.',
  destinationKey: 'The field of the data, or the field of the file.',
  options: 'Less common settings.',
} as const;

/** Moves data between files and JSON: the older form of convertToFile and extractFromFile. */
export const moveBinaryData: KindDescriptor = {
  kind: 'moveBinaryData',
  label: 'Move binary data',
  description: 'Moves what a file holds into JSON, or JSON into a file.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'binaryToJson',
      options: [choice('binaryToJson', 'File to JSON'), choice('jsonToBinary', 'JSON to file')],
    },
    {
      name: 'setAllData',
      label: 'Becomes the whole item',
      type: 'boolean',
      default: true,
      shownWhen: { mode: ['binaryToJson'] },
    },
    {
      name: 'convertAllData',
      label: 'The whole item',
      type: 'boolean',
      default: true,
      shownWhen: { mode: ['jsonToBinary'] },
    },
    { name: 'sourceKey', label: 'From', type: 'string', default: 'data' },
    { name: 'destinationKey', label: 'To', type: 'string', default: 'data' },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        flag('addBOM', 'Add a byte order mark', false),
        flag('dataIsBase64', 'Text is base64', false),
        text('encoding', 'Encoding'),
        text('fileName', 'Name of the file'),
        flag('jsonParse', 'Read as JSON', false),
        flag('keepAsBase64', 'Keep as base64', false),
        flag('keepSource', 'Keep the source', false),
        text('mimeType', 'Type of the file'),
        flag('stripBOM', 'Leave the byte order mark out', true),
        flag('useRawData', 'Text as it is', false),
      ],
    },
  ]),
};
