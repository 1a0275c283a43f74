import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { batching, batchingHelp, MODEL, promptType } from '../../../descriptors/chain-parameters';

const HUMAN = 'HumanMessagePromptTemplate';

const prompt = (field: string, since: number, until: number): ParameterDescriptor => ({
  ...text('prompt', 'Prompt', `={{ $json.${field} }}`, { required: true, editor: 'multiline' }),
  since,
  until,
});

const MESSAGE_FIELDS: readonly ParameterDescriptor[] = [
  {
    name: 'type',
    label: 'Role',
    type: 'options',
    default: 'SystemMessagePromptTemplate',
    options: [
      choice('AIMessagePromptTemplate', 'Assistant'),
      choice('SystemMessagePromptTemplate', 'System'),
      choice(HUMAN, 'User'),
    ],
  },
  {
    name: 'messageType',
    label: 'Content',
    type: 'options',
    default: 'text',
    options: [
      choice('text', 'Text'),
      choice('imageBinary', 'Image in a file'),
      choice('imageUrl', 'Image at an address'),
    ],
    shownWhen: { type: [HUMAN] },
  },
  text('binaryImageDataKey', 'File field', 'data', { shownWhen: { messageType: ['imageBinary'] } }),
  text('imageUrl', 'Image address', '', { shownWhen: { messageType: ['imageUrl'] } }),
  {
    name: 'imageDetail',
    label: 'Image detail',
    type: 'options',
    default: 'auto',
    options: [choice('auto', 'Automatic'), choice('low', 'Low'), choice('high', 'High')],
    shownWhen: { type: [HUMAN], messageType: ['imageBinary', 'imageUrl'] },
  },
  text('message', 'Text', '', { editor: 'multiline', hiddenWhen: { messageType: ['imageBinary', 'imageUrl'] } }),
];

/** Sends a prompt for each item to a model. */
export const chainLlm: KindDescriptor = {
  kind: 'langchain.chainLlm',
  label: 'Basic LLM chain',
  description: 'Sends a prompt to a model for each item.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [
    { ...MODEL, until: 1.1 },
    { ...MODEL, since: 1.3, until: 1.3 },
    { ...MODEL, since: 1.2, shownWhen: { needsFallback: [false] } },
    { ...MODEL, label: 'Model and fallback model', max: 2, since: 1.2, shownWhen: { needsFallback: [true] } },
    { type: 'ai_outputParser', label: 'Output parser', max: 1, until: 1.1 },
    { type: 'ai_outputParser', label: 'Output parser', max: 1, since: 1.3, until: 1.3 },
    { type: 'ai_outputParser', label: 'Output parser', max: 1, since: 1.2, shownWhen: { hasOutputParser: [true] } },
  ],
  credentials: [],
  parameters: withHelp(
    {
      prompt: 'Text for the model.',
      promptType: 'Where the text for the model comes from.',
      text: 'Text for the model.',
      hasOutputParser: 'Uses an output parser, which describes the form of the answer and reads it.',
      needsFallback: 'Calls a second model if the first fails with anything but a bad request.',
      messages: 'Messages before the prompt.',
      'messages.messageValues.imageDetail': 'Not sent: services choose the detail.',
      ...batchingHelp(),
    },
    [
      prompt('input', 1, 1),
      prompt('chat_input', 1.1, 1.2),
      prompt('chatInput', 1.3, 1.3),
      ...promptType(1.4, 1.8),
      {
        ...text('text', 'Prompt', '', { editor: 'multiline', shownWhen: { promptType: ['define'] } }),
        since: 1.4,
      },
      { ...flag('hasOutputParser', 'Output parser'), since: 1.2, until: 1.2 },
      { ...flag('hasOutputParser', 'Output parser'), since: 1.4 },
      { ...flag('needsFallback', 'Fallback model'), since: 1.2, until: 1.2 },
      { ...flag('needsFallback', 'Fallback model'), since: 1.4 },
      {
        name: 'messages',
        label: 'Messages',
        type: 'fixedCollection',
        multiple: true,
        default: {},
        groups: [{ name: 'messageValues', label: 'Message', fields: MESSAGE_FIELDS }],
      },
      batching(1.7),
    ],
  ),
  differs: [
    'An empty prompt fails the node, unless there is a message of the user.',
    'The detail of images is not sent.',
    'Results are stored after each batch, and are not asked for again if the run continues in another process.',
  ],
};
