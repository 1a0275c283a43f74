import type { KindDescriptor } from '../descriptor';
import { choice } from './build-parameters';
import { withHelp } from './with-help';

const HELP = {
  operation: 'Whether files are packed or unpacked.',
  outputFormat: 'ZIP packs all files into one, gzip each into its own.',
  fileName: 'What the packed file is called.',
  binaryPropertyOutput: 'The field of the item that gets the packed file.',
  outputPrefix: 'A number follows.',
} as const;

/** Packs and unpacks files. */
export const compression: KindDescriptor = {
  kind: 'compression',
  label: 'Compression',
  description: 'Packs files of an item as ZIP or gzip, or unpacks them.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['What unpacks to more than 128 MB is refused.'],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'decompress',
      options: [choice('compress', 'Pack'), choice('decompress', 'Unpack')],
    },
    {
      name: 'binaryPropertyName',
      label: 'Names of the files in the item',
      type: 'string',
      default: 'data',
      required: true,
      help: 'Several with commas between them.',
    },
    {
      name: 'outputFormat',
      label: 'Format',
      type: 'options',
      default: 'zip',
      shownWhen: { operation: ['compress'] },
      options: [choice('gzip', 'gzip'), choice('zip', 'ZIP')],
    },
    {
      name: 'fileName',
      label: 'Name of the file',
      type: 'string',
      default: '',
      shownWhen: { operation: ['compress'] },
    },
    {
      name: 'binaryPropertyOutput',
      label: 'Name of the new file in the item',
      type: 'string',
      default: 'data',
      shownWhen: { operation: ['compress'] },
    },
    {
      name: 'outputPrefix',
      label: 'Names of the new files begin with',
      type: 'string',
      default: 'data',
      shownWhen: { operation: ['compress'], outputFormat: ['gzip'] },
    },
    {
      name: 'outputPrefix',
      label: 'Names of the new files begin with',
      type: 'string',
      default: 'file_',
      shownWhen: { operation: ['decompress'] },
    },
  ]),
};
