import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';

const COMMAND = { resource: ['command'] };
const FILE = { resource: ['file'] };

/** Runs commands on a server over SSH, and gets and puts files there. */
export const ssh: KindDescriptor = {
  kind: 'ssh',
  label: 'SSH',
  description: 'Runs commands on a server over SSH, and gets and puts files there over SFTP.',
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
    'A credential may state the hostFingerprint of the server; without one any server is trusted, as in n8n.',
    'A command has 5 minutes, its output and each file 32 MiB.',
  ],
  parameters: [
    {
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'password',
      options: [choice('password', 'Password'), choice('privateKey', 'Private key')],
      help: 'What the credential holds.',
    },
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'command',
      options: [choice('command', 'Command'), choice('file', 'File')],
      help: 'What to work with.',
    },
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'execute',
      shownWhen: COMMAND,
      options: [choice('execute', 'Execute')],
      help: 'What to do.',
    },
    text('command', 'Command', '', {
      shownWhen: { ...COMMAND, operation: ['execute'] },
      help: 'Command for the shell of the server. Expressions in it become part of its text.',
    }),
    text('cwd', 'Working directory', '/', {
      required: true,
      shownWhen: { ...COMMAND, operation: ['execute'] },
      help: 'Folder that the command runs in; `~/` is that of the login.',
    }),
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'upload',
      shownWhen: FILE,
      options: [choice('download', 'Download'), choice('upload', 'Upload')],
      help: 'What to do.',
    },
    text('binaryPropertyName', 'Input binary field', 'data', {
      required: true,
      shownWhen: { ...FILE, operation: ['upload'] },
      help: 'Field with the file.',
    }),
    text('path', 'Target directory', '', {
      required: true,
      shownWhen: { ...FILE, operation: ['upload'] },
      help: 'Folder that gets the file; `~/` is that of the login.',
    }),
    text('path', 'Path', '', {
      required: true,
      shownWhen: { ...FILE, operation: ['download'] },
      help: 'Path of the file with its name; `~/` is the folder of the login.',
    }),
    text('binaryPropertyName', 'File property', 'data', {
      required: true,
      shownWhen: { ...FILE, operation: ['download'] },
      help: 'Field that gets the file.',
    }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { ...FILE, operation: ['download', 'upload'] },
      fields: [text('fileName', 'File name', '', { help: 'Name of the file instead of its own.' })],
      help: 'Less common settings.',
    },
  ],
};
