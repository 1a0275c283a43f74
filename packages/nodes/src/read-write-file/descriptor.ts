import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, options, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';
import { AREA_DIFFERENCE } from './descriptor-older';

const HELP = {
  operation: 'Whether to read or write files of the workflow.',
  fileSelector: 'Path of a file, or a pattern: `*`, `**`, `?` and `{a,b}`.',
  fileName: 'Path of the file.',
  dataPropertyName: 'Field of the item with the file.',
  options: 'Additional options.',
  'options.fileExtension': 'Extension of the file in the output. Default: that of its path.',
  'options.fileName': 'Name of the file in the output. Default: that of its path.',
  'options.mimeType': 'MIME type of the file in the output. Default: by the extension.',
  'options.dataPropertyName': 'Field of the output item with the file.',
  'options.literalBrackets':
    'Off: `[0-9]` is a class of characters and `(a|b)` a choice. On: both are part of the name.',
  'options.append': 'Appends to an existing file instead of replacing it.',
} as const;

/** Reads and writes files of the workflow. */
export const readWriteFile: KindDescriptor = {
  kind: 'readWriteFile',
  label: 'Read/Write Files',
  description: 'Reads and writes files that the workflow stores between its runs.',
  versions: [1, 1.1],
  groups: ['input', 'output'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [AREA_DIFFERENCE],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'read',
      options: [choice('read', 'Read files'), choice('write', 'Write file')],
    },
    text('fileSelector', 'File selector', '', { required: true, shownWhen: { operation: ['read'] } }),
    text('fileName', 'File path', '', { required: true, shownWhen: { operation: ['write'] } }),
    text('dataPropertyName', 'Input field', 'data', { required: true, shownWhen: { operation: ['write'] } }),
    options(
      ['read'],
      [
        text('fileExtension', 'File extension'),
        text('fileName', 'File name'),
        text('mimeType', 'MIME type'),
        text('dataPropertyName', 'Output field', 'data'),
        flag('literalBrackets', 'Treat brackets and parentheses as literal', true),
      ],
    ),
    options(['write'], [flag('append', 'Append')]),
  ]),
};
