import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';
import { flag, FREQUENCY_PENALTY, number, PRESENCE_PENALTY, TOP_P, words } from '../langchain/models/descriptor-parts';
import { of, operation, options } from '../langchain/vendor/descriptor-parts';

const model = (initial: string, name = 'model'): ParameterDescriptor => ({
  ...text(name, 'Model', initial),
  list: 'models',
  help: 'Name of the model at the service.',
});
const multiline = (name: string, label: string, help: string): ParameterDescriptor =>
  text(name, label, '', { editor: 'multiline', help });
const SIMPLIFY = flag('simplifyOutput', 'Simplify output', true, 'If on, an item for each answer.');

const COMPLETION = options(
  flag('echo', 'Echo', false, 'If on, the answer begins with the prompt.'),
  { ...FREQUENCY_PENALTY, name: 'frequency_penalty' },
  number('maxTokens', 'Maximum number of tokens', 16, 'Of the answer.'),
  number('n', 'Answers', 1, 'Number of answers to each prompt.'),
  { ...PRESENCE_PENALTY, name: 'presence_penalty' },
  number('temperature', 'Sampling temperature', 1, '0 gives the most predictable text.'),
  TOP_P,
);

const MESSAGES: ParameterDescriptor = {
  name: 'prompt',
  label: 'Messages',
  type: 'fixedCollection',
  multiple: true,
  default: {},
  help: 'The conversation, the oldest message first.',
  groups: [
    {
      name: 'messages',
      label: 'Message',
      fields: [
        {
          name: 'role',
          label: 'Role',
          type: 'options',
          default: 'user',
          options: [choice('assistant', 'Assistant'), choice('system', 'System'), choice('user', 'User')],
          help: 'Who the message is from.',
        },
        multiline('content', 'Text', 'The message.'),
      ],
    },
  ],
};

const CHAT = of(
  'chat',
  ['complete'],
  [
    { ...model('gpt-3.5-turbo'), until: 1 },
    { ...model('gpt-3.5-turbo', 'chatModel'), since: 1.1 },
    MESSAGES,
    SIMPLIFY,
    COMPLETION,
  ],
);

const IMAGE = of(
  'image',
  ['create'],
  [
    multiline('prompt', 'Prompt', 'Description of the image.'),
    { ...model('dall-e-2'), until: 1 },
    { ...model('dall-e-2', 'imageModel'), since: 1.1 },
    {
      name: 'responseFormat',
      label: 'Output',
      type: 'options',
      default: 'binaryData',
      options: [choice('binaryData', 'File'), choice('imageUrl', 'Address')],
      help: 'The image, or the address at which it can be downloaded for an hour.',
    },
    options(
      number('n', 'Images', 1, 'From 1 to 10, for models that make several.'),
      words('quality', 'Quality', 'standard', ['hd', 'standard'], 'For dall-e-3.'),
      words(
        'size',
        'Size',
        '1024x1024',
        ['256x256', '512x512', '1024x1024', '1792x1024', '1024x1792'],
        'Each model has some of them.',
      ),
      words('style', 'Style', 'vivid', ['natural', 'vivid'], 'For dall-e-3.'),
    ),
  ],
);

const EDITS = ['code-davinci-edit-001', 'text-davinci-edit-001'];
const MODERATIONS = ['text-moderation-stable', 'text-moderation-latest'];

const TEXT = [
  ...of(
    'text',
    ['complete'],
    [model('gpt-3.5-turbo-instruct'), multiline('prompt', 'Prompt', 'The text that the model continues.')],
  ),
  ...of(
    'text',
    ['edit'],
    [
      words('model', 'Model', 'text-davinci-edit-001', EDITS, 'The service has withdrawn both.'),
      multiline('input', 'Text', 'The text to edit.'),
      multiline('instruction', 'Instruction', 'How to edit it.'),
    ],
  ),
  ...of(
    'text',
    ['moderate'],
    [
      words('model', 'Model', 'text-moderation-latest', MODERATIONS, 'The model that checks the text.'),
      multiline('input', 'Text', 'The text to check.'),
      SIMPLIFY,
    ],
  ),
  ...of('text', ['complete', 'edit'], [SIMPLIFY, COMPLETION]),
];

/** The older node of OpenAI. */
export const openAiOlder: KindDescriptor = {
  kind: 'openAi',
  label: 'OpenAI (older)',
  description: 'Sends one request to OpenAI for each item: chats, completions, moderations and images.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [{ type: 'openAiApi', required: true }],
  differs: [
    'The key is sent only to the host of the credential, or to hosts that the credential allows.',
    '`requestOptions` has no effect.',
  ],
  parameters: [
    {
      name: 'resource',
      label: 'Resource',
      type: 'options',
      default: 'text',
      options: [choice('chat', 'Chat'), choice('image', 'Image'), choice('text', 'Text')],
      help: 'Kind of content that the node works with.',
    },
    operation('text', 'complete', [
      choice('complete', 'Complete a text'),
      choice('edit', 'Edit a text'),
      choice('moderate', 'Check a text'),
    ]),
    operation('chat', 'complete', [choice('complete', 'Answer a chat')]),
    operation('image', 'create', [choice('create', 'Create an image')]),
    ...CHAT,
    ...IMAGE,
    ...TEXT,
  ],
};
