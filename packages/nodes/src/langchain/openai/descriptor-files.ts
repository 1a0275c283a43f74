import type { ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../../descriptors/build-parameters';
import { json, words } from '../models/descriptor-parts';
import { file, messages, of, options } from '../vendor/descriptor-parts';
import { ROLES } from './descriptor-message';

const ALL = ['assistants', 'fine-tune', 'vision', 'user_data'];
const USE = 'How the service uses the file.';

/** Parameters of the resource `file`. */
export const FILES: readonly ParameterDescriptor[] = [
  ...of(
    'file',
    ['upload'],
    [
      file('Field of the file.'),
      { ...options(words('purpose', 'Purpose', 'assistants', ALL, USE)), until: 1.8 },
      { ...options(words('purpose', 'Purpose', 'user_data', ALL, USE)), since: 2 },
    ],
  ),
  ...of('file', ['list'], [options(words('purpose', 'Purpose', 'any', ['any', ...ALL], 'Only files with this use.'))]),
  ...of(
    'file',
    ['deleteFile'],
    [
      {
        name: 'fileId',
        label: 'File',
        type: 'resourceLocator',
        default: { __rl: true, mode: 'list', value: '' },
        required: true,
        help: 'ID of the file at the service.',
        modes: [
          { name: 'list', label: 'From list' },
          { name: 'id', label: 'ID' },
        ],
      },
    ],
  ),
];

const ID = text('conversationId', 'Conversation ID', '', {
  required: true,
  help: 'ID of the conversation at the service.',
});
const METADATA = json('metadata', 'Metadata', '{}', 'At most 16 pairs of strings, which the service stores.');

/** Parameters of the resource `conversation`. */
export const CONVERSATIONS: readonly ParameterDescriptor[] = [
  ...of(
    'conversation',
    ['create'],
    [messages(ROLES, 'The first messages of the conversation, the oldest first.'), options(METADATA)],
  ),
  ...of('conversation', ['get', 'remove'], [ID]),
  ...of('conversation', ['update'], [ID, { ...METADATA, required: true, help: 'Replaces that of the conversation.' }]),
].map((one) => ({ ...one, since: 2 }));
