import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  mode: 'Direction of the conversion.',
  setAllData: 'If off, the data is put into one field.',
  convertAllData: 'If off, one field is converted.',
  sourceKey: 'Source field: the binary field or the JSON field.',
  destinationKey: 'Destination field: the JSON field or the binary field.',
  options: 'Additional options.',
} as const;

/** Moves data between files and JSON: the older form of convertToFile and extractFromFile. */
export const moveBinaryData: KindDescriptor = {
  kind: 'moveBinaryData',
  label: 'Move binary data',
  description: 'Converts binary data to JSON, or JSON to binary data.',
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
      options: [choice('binaryToJson', 'Binary to JSON'), choice('jsonToBinary', 'JSON to binary')],
    },
    {
      name: 'setAllData',
      label: 'Set all data',
      type: 'boolean',
      default: true,
      shownWhen: { mode: ['binaryToJson'] },
    },
    {
      name: 'convertAllData',
      label: 'Convert all data',
      type: 'boolean',
      default: true,
      shownWhen: { mode: ['jsonToBinary'] },
    },
    { name: 'sourceKey', label: 'Source key', type: 'string', default: 'data' },
    { name: 'destinationKey', label: 'Destination key', type: 'string', default: 'data' },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        flag('addBOM', 'Add byte order mark (BOM)', false),
        flag('dataIsBase64', 'Data is base64 encoded', false),
        text('encoding', 'Encoding'),
        text('fileName', 'File name'),
        flag('jsonParse', 'JSON parse', false),
        flag('keepAsBase64', 'Keep as base64', false),
        flag('keepSource', 'Keep source', false),
        text('mimeType', 'MIME type'),
        flag('stripBOM', 'Exclude byte order mark (BOM)', true),
        flag('useRawData', 'Use raw data', false),
      ],
    },
  ]),
};
