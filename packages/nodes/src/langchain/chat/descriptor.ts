import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../descriptors/build-parameters';
import { withHelp } from '../../descriptors/with-help';

const HELP = {
  public: 'If off, the chat has no address: only the console and the API can start it.',
  mode: 'Hosted: Weft serves a page at the address. Embedded: a page of yours calls the address.',
  authentication: 'Who may chat.',
  initialMessages: 'Messages that the page shows first, one for each line.',
  availableInChat: 'Has no effect: there is no chat hub.',
  options: 'Additional options.',
  'options.allowedOrigins': 'Origins of pages that may call the address, separated by commas; `*` for all.',
  'options.responseMode':
    'When the chat responds. With streaming, it shows the answers of agents while they are written.',
  'options.loadPreviousSession':
    'If from memory, the page shows the conversation of the session when it is opened again.',
} as const;

const fixed = (parameter: ParameterDescriptor): ParameterDescriptor => ({ ...parameter, fixed: true });

const OPTIONS: readonly ParameterDescriptor[] = [
  text('allowedOrigins', 'Allowed origins', '*'),
  flag('allowFileUploads', 'Allow files'),
  text('allowedFilesMimeTypes', 'Types of files', '*'),
  text('inputPlaceholder', 'Placeholder', 'Type your question..'),
  {
    name: 'loadPreviousSession',
    label: 'Load the previous session',
    type: 'options',
    default: 'notSupported',
    options: [
      choice('notSupported', 'Off'),
      choice('memory', 'From memory'),
      choice('manually', 'Manually', {
        refused: 'The chat loads previous messages from its memory only. Choose "From memory" and connect a memory.',
      }),
    ],
  },
  flag('showWelcomeScreen', 'Show a welcome screen'),
  text('getStarted', 'Start button', 'New Conversation'),
  text('title', 'Title', 'Hi there! 👋'),
  text('subtitle', 'Subtitle', "Start a chat. We're here to help you 24/7."),
  text('customCss', 'Styles', ''),
  {
    name: 'responseMode',
    label: 'Response mode',
    type: 'options',
    default: 'lastNode',
    options: [
      choice('lastNode', 'When the last node finishes'),
      choice('responseNode', 'By a Respond to Webhook node'),
      choice('responseNodes', 'By response nodes'),
      choice('streaming', 'Streaming'),
    ],
  },
];

export const chatTrigger: KindDescriptor = {
  kind: 'langchain.chatTrigger',
  label: 'Chat trigger',
  description: 'Starts the workflow with a message of a chat, and responds with its result.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  accepts: [{ type: 'ai_memory', label: 'memory', max: 1 }],
  credentials: [{ type: 'httpBasicAuth', required: true, shownWhen: { authentication: ['basicAuth'] } }],
  differs: ['Chats of signed-in users of the instance are refused. Use basic authentication.'],
  parameters: withHelp(HELP, [
    fixed(flag('public', 'Public')),
    fixed({
      name: 'mode',
      label: 'Mode',
      type: 'options',
      default: 'hostedChat',
      shownWhen: { public: [true] },
      options: [choice('hostedChat', 'Hosted chat'), choice('webhook', 'Embedded chat')],
    }),
    fixed({
      name: 'authentication',
      label: 'Authentication',
      type: 'options',
      default: 'none',
      shownWhen: { public: [true] },
      options: [
        choice('none', 'None'),
        choice('basicAuth', 'Basic auth'),
        choice('n8nUserAuth', 'Users of the instance', {
          refused: 'Chats for signed-in users of the instance are not supported. Use basic authentication.',
        }),
      ],
    }),
    fixed(
      text('initialMessages', 'First messages', 'Hi there! 👋\nHow can I assist you today?', {
        editor: 'multiline',
        shownWhen: { public: [true], mode: ['hostedChat'] },
      }),
    ),
    flag('availableInChat', 'Available in the chat hub'),
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: OPTIONS.map(fixed) },
  ]),
};
