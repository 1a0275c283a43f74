import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../../descriptors/build-parameters';
import { operation, resource } from '../vendor/descriptor-parts';
import { FILES_AND_PROMPTS } from './descriptor-files';
import { MESSAGE } from './descriptor-message';

const ANALYZE = choice('analyze', 'Ask a question');

/** The node of Anthropic, which calls a model itself. */
export const anthropic: KindDescriptor = {
  kind: 'langchain.anthropic',
  label: 'Anthropic',
  description: 'Calls models of Anthropic for text, documents and images, and stores files there.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [{ type: 'ai_tool', label: 'tools', shownWhen: { resource: ['text'], operation: ['message'] } }],
  credentials: [{ type: 'anthropicApi', required: true }],
  differs: [
    'The key is sent only to the host of the credential, or to hosts that the credential allows.',
    'A model that still calls tools after 50 answers fails the node, and so does a refusal of the model.',
    'With tools, the system message and the tools are marked for the cache of the service.',
    'Temperature, top P and top K are not sent to models from version 4.7 on, which refuse them.',
    'Text files of the item can be asked about as well.',
  ],
  parameters: [
    resource([
      choice('document', 'Document'),
      choice('file', 'File'),
      choice('image', 'Image'),
      choice('prompt', 'Prompt'),
      choice('text', 'Text'),
    ]),
    operation('text', 'message', [choice('message', 'Message a model')]),
    operation('document', 'analyze', [ANALYZE]),
    operation('image', 'analyze', [ANALYZE]),
    operation('file', 'upload', [
      choice('upload', 'Upload a file'),
      choice('get', 'Get facts of a file'),
      choice('list', 'List files'),
      choice('deleteFile', 'Delete a file'),
    ]),
    operation('prompt', 'generate', [
      choice('generate', 'Write a prompt'),
      choice('improve', 'Improve a prompt'),
      choice('templatize', 'Find the variables of a prompt'),
    ]),
    ...MESSAGE,
    ...FILES_AND_PROMPTS,
  ],
};
