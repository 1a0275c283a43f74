import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, options, text } from '../descriptors/build-parameters';

const TIMEOUT: ParameterDescriptor = {
  name: 'timeout',
  label: 'Timeout',
  type: 'number',
  default: 10_000,
  help: 'Timeout of connection and login in milliseconds; at most 60,000.',
};
const path = (operation: string, initial: string, help: string): ParameterDescriptor =>
  text('path', 'Path', initial, {
    required: true,
    shownWhen: { operation: [operation] },
    help,
    placeholder: '/orders/today.csv',
  });
const settings = (operation: string, fields: readonly ParameterDescriptor[]): ParameterDescriptor => ({
  ...options([operation], [...fields, TIMEOUT]),
  help: 'Less common settings.',
});
const WITHOUT_EFFECT = 'Has no effect: parts of a file are always read a few at a time.';

/** Lists, downloads, uploads, renames and deletes files of a server over FTP or SFTP. */
export const ftp: KindDescriptor = {
  kind: 'ftp',
  label: 'FTP',
  description: 'Lists, downloads, uploads, renames and deletes files of a server over FTP or SFTP.',
  versions: [1, 1.1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { type: 'ftp', required: true, shownWhen: { protocol: ['ftp'] } },
    { type: 'sftp', required: true, shownWhen: { protocol: ['sftp'] } },
  ],
  differs: [
    'Transfers over FTP go to the host of the credential; another address sent by the server is ignored.',
    'Lists over FTP have no acl and no sticky; dates without a zone are UTC.',
    'A credential for SFTP may have the hostFingerprint of the server; without one any server is trusted, as in n8n.',
    'A step is limited to 5 minutes, a file to 32 MiB, a list to 10,000 entries.',
  ],
  parameters: [
    {
      name: 'protocol',
      label: 'Protocol',
      type: 'options',
      default: 'ftp',
      options: [choice('ftp', 'FTP'), choice('sftp', 'SFTP')],
      help: 'The protocol of the server.',
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'download',
      options: [
        choice('delete', 'Delete'),
        choice('download', 'Download'),
        choice('list', 'List'),
        choice('rename', 'Rename'),
        choice('upload', 'Upload'),
      ],
      help: 'The operation to perform.',
    },
    path('delete', '', 'Path of the file or folder.'),
    settings('delete', [
      { ...flag('folder', 'Folder'), help: 'Whether the path is a folder.' },
      {
        ...flag('recursive', 'Recursive'),
        shownWhen: { folder: [true] },
        help: 'Whether to delete the content of the folder as well.',
      },
    ]),
    path('download', '', 'Path of the file with its name.'),
    text('binaryPropertyName', 'Put output file in field', 'data', {
      required: true,
      shownWhen: { operation: ['download'] },
      help: 'Name of the output field for the file.',
    }),
    settings('download', [
      { ...flag('enableConcurrentReads', 'Enable concurrent reads'), help: WITHOUT_EFFECT },
      {
        name: 'maxConcurrentReads',
        label: 'Max concurrent reads',
        type: 'number',
        default: 5,
        shownWhen: { enableConcurrentReads: [true] },
        help: WITHOUT_EFFECT,
      },
      {
        name: 'chunkSize',
        label: 'Chunk size',
        type: 'number',
        default: 64,
        shownWhen: { enableConcurrentReads: [true] },
        help: WITHOUT_EFFECT,
      },
    ]),
    text('oldPath', 'Old path', '', {
      required: true,
      shownWhen: { operation: ['rename'] },
      help: 'Path of the file or folder.',
    }),
    text('newPath', 'New path', '', {
      required: true,
      shownWhen: { operation: ['rename'] },
      help: 'The new path.',
    }),
    settings('rename', [
      {
        ...flag('createDirectories', 'Create directories'),
        help: 'Whether to create missing folders of the new path.',
      },
    ]),
    path('upload', '', 'Path of the file on the server, with its name. Missing folders are created.'),
    {
      ...flag('binaryData', 'Binary file', true),
      shownWhen: { operation: ['upload'] },
      help: 'Whether to upload a file of the item instead of text.',
    },
    text('binaryPropertyName', 'Input binary field', 'data', {
      required: true,
      shownWhen: { operation: ['upload'], binaryData: [true] },
      help: 'Name of the field with the file.',
    }),
    text('fileContent', 'File content', '', {
      shownWhen: { operation: ['upload'], binaryData: [false] },
      help: 'The content of the file.',
      editor: 'multiline',
    }),
    settings('upload', []),
    path('list', '/', 'Path of the folder.'),
    {
      ...flag('recursive', 'Recursive'),
      required: true,
      shownWhen: { operation: ['list'] },
      help: 'Whether to list subfolders as well.',
    },
    settings('list', []),
  ],
};
