import type { Conditions, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { BUILT_IN_TOOLS, PROMPT, TEXT_FORMAT } from '../models/descriptor-openai';
import { flag, json, number, words } from '../models/descriptor-parts';
import { HIDE_TOOLS, MODEL_ID, of, ROUNDS, SIMPLIFY } from '../vendor/descriptor-parts';
import { ROLE } from './descriptor-message';

const IMAGE: Conditions = { type: ['image'] };
const FILE: Conditions = { type: ['file'] };

const source = (name: string, shownWhen: Conditions): ParameterDescriptor => ({
  name,
  label: 'Source',
  type: 'options',
  default: 'url',
  shownWhen,
  help: 'Where the file comes from.',
  options: [choice('url', 'Address'), choice('fileId', 'ID at the service'), choice('base64', 'File of the item')],
});

const MESSAGE_FIELDS: readonly ParameterDescriptor[] = [
  {
    name: 'type',
    label: 'Type',
    type: 'options',
    default: 'text',
    help: 'Content of the message.',
    options: [choice('text', 'Text'), choice('image', 'Image'), choice('file', 'File')],
  },
  ROLE,
  text('content', 'Text', '', { editor: 'multiline', shownWhen: { type: ['text'] } }),
  source('imageType', IMAGE),
  text('imageUrl', 'Image address', '', { shownWhen: { ...IMAGE, imageType: ['url'] } }),
  text('fileId', 'File ID', '', { shownWhen: { ...IMAGE, imageType: ['fileId'] } }),
  text('binaryPropertyName', 'File field', 'data', { shownWhen: { ...IMAGE, imageType: ['base64'] } }),
  {
    ...words('imageDetail', 'Detail', 'auto', ['auto', 'low', 'high'], 'Not sent: the service chooses it.'),
    shownWhen: IMAGE,
  },
  source('fileType', FILE),
  text('fileUrl', 'File address', '', { shownWhen: { ...FILE, fileType: ['url'] } }),
  text('fileId', 'File ID', '', { shownWhen: { ...FILE, fileType: ['fileId'] } }),
  text('binaryPropertyName', 'File field', 'data', { shownWhen: { ...FILE, fileType: ['base64'] } }),
  text('fileName', 'File name', '', { shownWhen: { ...FILE, fileType: ['base64'] } }),
];

const REASONING: ParameterDescriptor = {
  name: 'reasoning',
  label: 'Reasoning',
  type: 'fixedCollection',
  help: 'For models that reason.',
  groups: [
    {
      name: 'reasoningOptions',
      label: 'Reasoning',
      fields: [
        words('effort', 'Effort', 'medium', ['low', 'medium', 'high'], 'How much the model reasons.'),
        words('summary', 'Summary', 'auto', ['none', 'auto', 'concise', 'detailed'], 'Of the reasoning.'),
      ],
    },
  ],
};

/** Further data that the service may return. */
const INCLUDED = [
  'code_interpreter_call.outputs',
  'computer_call_output.output.image_url',
  'file_search_call.results',
  'message.input_image.image_url',
  'message.output_text.logprobs',
  'reasoning.encrypted_content',
  'web_search_call.action.sources',
] as const;

const OPTIONS: readonly ParameterDescriptor[] = [
  text('conversationId', 'Conversation ID', '', { help: 'A conversation stored at the service.' }),
  {
    name: 'include',
    label: 'Include',
    type: 'multiOptions',
    default: [],
    help: 'Further data of the response.',
    options: INCLUDED.map((one) => choice(one, one)),
  },
  text('instructions', 'Instructions', '', { editor: 'multiline', help: 'For the model, before all messages.' }),
  number('maxTokens', 'Maximum number of tokens', 16, 'Of the response.'),
  ROUNDS,
  number('maxToolCalls', 'Calls of built-in tools', 15, 'In one response.'),
  json('metadata', 'Metadata', '{}', 'At most 16 pairs, which the service stores.'),
  flag('parallelToolCalls', 'Parallel calls of tools', false, 'If on, an answer may call several tools.'),
  text('previousResponseId', 'Previous response ID', '', { help: 'The response that this one continues.' }),
  PROMPT,
  text('promptCacheKey', 'Prompt cache key', '', { help: 'Requests with one key share a cache.' }),
  REASONING,
  text('safetyIdentifier', 'Safety identifier', '', { help: 'Identifies a user of yours.' }),
  words('serviceTier', 'Service tier', 'auto', ['auto', 'flex', 'default', 'priority'], 'Speed and price.'),
  flag('store', 'Store', true, 'If on, the service stores the response.'),
  TEXT_FORMAT,
  number('topLogprobs', 'Top logprobs', 0, 'From 0 to 20: likely tokens that are returned.'),
  number('temperature', 'Sampling temperature', 1, '0 gives the most predictable text.'),
  number('topP', 'Top P', 1, 'Share of the probability from which tokens are chosen.'),
  flag('truncation', 'Truncate', false, 'If on, the service leaves out messages that do not fit the model.'),
  {
    name: 'backgroundMode',
    label: 'Background mode',
    type: 'fixedCollection',
    help: 'Answers that are fetched later.',
    groups: [
      {
        name: 'values',
        label: 'Background mode',
        fields: [
          {
            ...flag('enabled', 'Enabled', false, 'Not supported.'),
            refused: 'Background mode is not supported. Turn it off: a call may take 300 s.',
          },
          number('timeout', 'Timeout (s)', 300, 'Without effect.'),
        ],
      },
    ],
  },
];

/** Parameters of the operation `response` of version 2. */
export const RESPONSE: readonly ParameterDescriptor[] = of(
  'text',
  ['response'],
  [
    MODEL_ID,
    {
      name: 'responses',
      label: 'Messages',
      type: 'fixedCollection',
      multiple: true,
      default: { values: [{ type: 'text' }] },
      help: 'The conversation, the oldest message first. One of them must have a text.',
      groups: [{ name: 'values', label: 'Message', fields: MESSAGE_FIELDS }],
    },
    SIMPLIFY('If on, only the messages of the response; otherwise the whole response.'),
    HIDE_TOOLS,
    BUILT_IN_TOOLS,
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'One that is not set is not sent: the service has its own defaults.',
      fields: OPTIONS,
    },
  ],
).map((one) => ({ ...one, since: 2 }));
