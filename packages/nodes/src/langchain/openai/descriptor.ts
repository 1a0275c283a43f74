import type { KindDescriptor, OptionDescriptor } from '@weft/node-catalogue';
import { choice } from '../../descriptors/build-parameters';
import { operation, refused, resource } from '../vendor/descriptor-parts';
import { CONVERSATIONS, FILES } from './descriptor-files';
import { MESSAGE } from './descriptor-message';
import { OTHERS } from './descriptor-others';
import { RESPONSE } from './descriptor-response';

/** The first version with the API for responses. */
const NEWER = { since: 2 } as const;
const OLDER = { until: 1.8 } as const;

const BY_HTTP = 'Use an HTTP Request node with the credential of OpenAI.';

const NO_ASSISTANTS =
  'OpenAI has shut down its API for assistants on 26 August 2026. Use the AI Agent node or the resource "text".';

const RESOURCES: readonly OptionDescriptor[] = [
  refused('assistant', 'The resource "assistant"', NO_ASSISTANTS, OLDER),
  choice('text', 'Text'),
  choice('image', 'Image'),
  choice('audio', 'Audio'),
  choice('file', 'File'),
  choice('conversation', 'Conversation', NEWER),
  refused('video', 'The resource "video"', BY_HTTP, NEWER),
];

const CLASSIFY = choice('classify', 'Check a text');

/** The node of OpenAI, which calls a model itself. */
export const openAi: KindDescriptor = {
  kind: 'langchain.openAi',
  label: 'OpenAI',
  description: 'Calls models for text, images and audio of OpenAI, or of a server with the same API.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 2, 2.1, 2.2, 2.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [{ type: 'ai_tool', label: 'tools', shownWhen: { resource: ['text'], operation: ['message', 'response'] } }],
  credentials: [{ type: 'openAiApi', required: true }],
  differs: [
    'The key is sent only to the host of the credential, or to hosts that the credential allows.',
    'A model that still calls tools after 50 answers fails the node in every version.',
    'A refusal of the model fails the node.',
    'The detail of images is not sent.',
    'At another host than `api.openai.com`, the chat API has the older names of fields.',
  ],
  parameters: [
    resource(RESOURCES),
    operation('text', 'message', [choice('message', 'Message a model'), CLASSIFY], OLDER),
    operation('text', 'response', [choice('response', 'Message a model'), CLASSIFY], NEWER),
    operation('image', 'generate', [
      choice('analyze', 'Ask about images'),
      choice('generate', 'Generate an image'),
      refused('edit', 'The operation "edit"', BY_HTTP, NEWER),
    ]),
    operation('audio', 'generate', [
      choice('generate', 'Speak a text'),
      choice('transcribe', 'Transcribe a recording'),
      choice('translate', 'Translate a recording'),
    ]),
    operation('file', 'upload', [
      choice('upload', 'Upload a file'),
      choice('list', 'List files'),
      choice('deleteFile', 'Delete a file'),
    ]),
    operation(
      'conversation',
      'create',
      [
        choice('create', 'Create a conversation'),
        choice('get', 'Get a conversation'),
        choice('update', 'Change a conversation'),
        choice('remove', 'Delete a conversation'),
      ],
      NEWER,
    ),
    ...MESSAGE,
    ...RESPONSE,
    ...FILES,
    ...CONVERSATIONS,
    ...OTHERS,
  ],
};
