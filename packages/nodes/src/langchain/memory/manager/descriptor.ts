import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';

const HELP = {
  mode: 'The operation to perform on the conversation of each item.',
  insertMode: 'Override replaces all messages of the conversation.',
  deleteMode: 'Which messages to delete.',
  messages: 'The messages to insert.',
  'messages.messageValues.type': 'Who says it.',
  'messages.messageValues.message': 'The text of the message.',
  'messages.messageValues.hideFromUI': 'Whether pages of chats leave the message out.',
  lastMessagesCount: 'Number of messages to delete. None are deleted if the conversation has fewer.',
  simplifyOutput: 'Whether to output only who says it and the text.',
  options: 'Additional options.',
  'options.groupMessages':
    'Whether to output the messages of a conversation as one item. On by default since version 1.1.',
} as const;

export const memoryManager: KindDescriptor = {
  kind: 'langchain.memoryManager',
  label: 'Chat memory manager',
  description: 'Reads, inserts and deletes messages of conversations in a memory.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [{ type: 'ai_memory', label: 'memory', required: true, max: 1 }],
  credentials: [],
  differs: ['All messages to insert are written together.', 'Version 1 reads the conversations of all items.'],
  parameters: withHelp(HELP, [
    {
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'load',
      options: [
        choice('load', 'Get messages'),
        choice('insert', 'Insert messages'),
        choice('delete', 'Delete messages'),
      ],
    },
    {
      name: 'insertMode',
      label: 'Insert mode',
      type: 'options',
      default: 'insert',
      shownWhen: { mode: ['insert'] },
      options: [choice('insert', 'Insert messages'), choice('override', 'Override all messages')],
    },
    {
      name: 'deleteMode',
      label: 'Delete mode',
      type: 'options',
      default: 'lastN',
      shownWhen: { mode: ['delete'] },
      options: [choice('lastN', 'Last messages'), choice('all', 'All messages')],
    },
    {
      name: 'messages',
      label: 'Messages',
      type: 'fixedCollection',
      default: {},
      multiple: true,
      shownWhen: { mode: ['insert'] },
      groups: [
        {
          name: 'messageValues',
          label: 'Message',
          fields: [
            {
              name: 'type',
              label: 'Type',
              type: 'options',
              default: 'system',
              options: [choice('ai', 'AI'), choice('system', 'System'), choice('user', 'User')],
            },
            text('message', 'Message', '', { required: true }),
            flag('hideFromUI', 'Hide in chats'),
          ],
        },
      ],
    },
    {
      name: 'lastMessagesCount',
      label: 'Number of messages',
      type: 'number',
      default: 2,
      shownWhen: { mode: ['delete'], deleteMode: ['lastN'] },
    },
    { ...flag('simplifyOutput', 'Simplify', true), shownWhen: { mode: ['load'] } },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      shownWhen: { mode: ['load'] },
      fields: [
        { ...flag('groupMessages', 'Group messages', false), until: 1 },
        { ...flag('groupMessages', 'Group messages', true), since: 1.1 },
      ],
    },
  ]),
};
