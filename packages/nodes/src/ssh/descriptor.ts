import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';

const COMMAND = { resource: ['command'] };
const FILE = { resource: ['file'] };

/** Runs commands on a server over SSH, and downloads and uploads files. */
export const ssh: KindDescriptor = {
  kind: 'ssh',
  label: 'SSH',
  description: 'Runs commands on a server over SSH, and downloads and uploads files over SFTP.',
  versions: [1],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [
    { type: 'sshPassword', required: true, shownWhen: { authentication: ['password'] } },
    { type: 'sshPrivateKey', required: true, shownWhen: { authentication: ['privateKey'] } },
  ],
  differs: [
    'A credential may have the hostFingerprint of the server; without one any server is trusted, as in n8n.',
    'A command is limited to 5 minutes, its output and each file to 32 MiB.',
  ],
  parameters: [
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'password',
      options: [choice('password', 'Password'), choice('privateKey', 'Private key')],
      help: 'Type of the credential.',
    },
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'command',
      options: [choice('command', 'Command'), choice('file', 'File')],
      help: 'What to work on.',
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'execute',
      shownWhen: COMMAND,
      options: [choice('execute', 'Execute')],
      help: 'The operation to perform.',
    },
    text('command', 'Command', '', {
      shownWhen: { ...COMMAND, operation: ['execute'] },
      help: 'Command for the shell of the server. Expressions in it become part of its text.',
      editor: 'multiline',
      placeholder: 'ls -l',
    }),
    text('cwd', 'Working directory', '/', {
      required: true,
      shownWhen: { ...COMMAND, operation: ['execute'] },
      help: 'Folder that the command runs in; `~/` is the home directory.',
      placeholder: '/home/weft',
    }),
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'upload',
      shownWhen: FILE,
      options: [choice('download', 'Download'), choice('upload', 'Upload')],
      help: 'The operation to perform.',
    },
    text('binaryPropertyName', 'Input binary field', 'data', {
      required: true,
      shownWhen: { ...FILE, operation: ['upload'] },
      help: 'Name of the field with the file.',
    }),
    text('path', 'Target directory', '', {
      required: true,
      shownWhen: { ...FILE, operation: ['upload'] },
      help: 'Folder to upload the file to; `~/` is the home directory.',
    }),
    text('path', 'Path', '', {
      required: true,
      shownWhen: { ...FILE, operation: ['download'] },
      help: 'Path of the file with its name; `~/` is the home directory.',
    }),
    text('binaryPropertyName', 'File property', 'data', {
      required: true,
      shownWhen: { ...FILE, operation: ['download'] },
      help: 'Name of the output field for the file.',
    }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { ...FILE, operation: ['download', 'upload'] },
      fields: [text('fileName', 'File name', '', { help: 'Overrides the name of the file.' })],
      help: 'Less common settings.',
    },
  ],
};
