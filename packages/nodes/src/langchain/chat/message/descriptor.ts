import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { questionParameters, WAIT_LIMIT } from '../../../descriptors/question-parameters';
import { withHelp } from '../../../descriptors/with-help';

const HELP = {
  operation: 'Whether to wait for the reply of the user.',
  message: 'Shown in the chat, for the first item. Simple Markdown is displayed.',
  waitUserReply: 'Whether to wait for the reply of the user.',
  responseType: 'How the user responds: with a button, or with a message.',
  blockUserInput: 'If on, only the buttons are accepted, and messages are refused.',
  options: 'Additional options.',
  'options.memoryConnection': 'Stores the message and the reply in the connected memory.',
  'options.autoSaveHighlightedData': 'Has no effect: executions do not highlight messages.',
} as const;

const WAITS = { operation: ['sendAndWait'] };
const APPROVES = { ...WAITS, responseType: ['approval'] };

const BUTTONS = questionParameters(
  { since: 1.1, shownWhen: WAITS },
  { approve: 'Approve', disapprove: 'Decline', hasStyles: true },
  '',
).filter(({ name }) => name === 'approvalOptions');

const OPTIONS: readonly ParameterDescriptor[] = [
  { ...flag('memoryConnection', 'Add a memory'), hiddenWhen: { '/responseType': ['approval'] } },
  { ...WAIT_LIMIT, until: 1, shownWhen: { '/waitUserReply': [true] } },
  { ...WAIT_LIMIT, since: 1.1, shownWhen: { '/operation': ['sendAndWait'] } },
  flag('autoSaveHighlightedData', 'Highlight the data', true),
];

/** Sends messages to the chat that started the run, and waits for replies. */
export const chat: KindDescriptor = {
  kind: 'langchain.chat',
  label: 'Chat',
  description: 'Sends a message to the chat that started the workflow, and can wait for the reply.',
  versions: [1, 1.1, 1.2, 1.3],
  groups: ['input'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [{ type: 'ai_memory', label: 'memory', max: 1 }],
  usableAsTool: {},
  credentials: [],
  differs: [
    'A message that waits for no reply never pauses the run, whether or not a page shows the chat.',
    'Buttons respond by a click in the chat: they have no links.',
    'A message has at most 100,000 characters.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'send',
      since: 1.1,
      fixed: true,
      options: [choice('send', 'Send message'), choice('sendAndWait', 'Send and wait for response')],
    },
    text('message', 'Message', '', { required: true, editor: 'multiline' }),
    { ...flag('waitUserReply', 'Wait for the reply', true), until: 1, fixed: true },
    {
      name: 'responseType',
      label: 'Response type',
      type: 'options',
      default: 'freeTextChat',
      since: 1.1,
      shownWhen: WAITS,
      options: [choice('approval', 'Approval'), choice('freeTextChat', 'Text')],
    },
    { ...flag('blockUserInput', 'Block user input'), since: 1.1, shownWhen: APPROVES },
    ...BUTTONS,
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: OPTIONS },
  ]),
};
