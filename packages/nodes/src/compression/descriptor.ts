import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  operation: 'Whether to compress or decompress.',
  outputFormat: 'ZIP and TAR put all files into one archive; gzip compresses each file separately.',
  fileName: 'File name of the compressed file.',
  binaryPropertyOutput: 'Name of the binary field that the compressed file is put in.',
  outputPrefix: 'Followed by a number.',
} as const;

/** Packs and unpacks files. */
export const compression: KindDescriptor = {
  kind: 'compression',
  label: 'Compression',
  description: 'Compresses files to ZIP, TAR or gzip, or decompresses them.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: {},
  credentials: [],
  differs: [
    'Archives that decompress to more than 128 MB are rejected.',
    'The format of a file to decompress is detected from its first bytes; a TAR archive within gzip is recognized by ' +
      'its extension, `.tar.gz` or `.tgz`.',
  ],
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
      label: 'Binary fields',
      type: 'string',
      default: 'data',
      required: true,
      help: 'Comma-separated names.',
    },
    {
      name: 'outputFormat',
      label: 'Format',
      type: 'options',
      default: 'zip',
      shownWhen: { operation: ['compress'] },
      options: [
        choice('gzip', 'gzip'),
        choice('tar', 'TAR'),
        choice('targz', 'TAR, packed by gzip'),
        choice('zip', 'ZIP'),
      ],
    },
    {
      name: 'fileName',
      label: 'File name',
      type: 'string',
      default: '',
      shownWhen: { operation: ['compress'] },
    },
    {
      name: 'binaryPropertyOutput',
      label: 'Output binary field',
      type: 'string',
      default: 'data',
      shownWhen: { operation: ['compress'] },
    },
    {
      name: 'outputPrefix',
      label: 'Output binary field prefix',
      type: 'string',
      default: 'data',
      shownWhen: { operation: ['compress'], outputFormat: ['gzip'] },
    },
    {
      name: 'outputPrefix',
      label: 'Output binary field prefix',
      type: 'string',
      default: 'file_',
      shownWhen: { operation: ['decompress'] },
    },
  ]),
};
