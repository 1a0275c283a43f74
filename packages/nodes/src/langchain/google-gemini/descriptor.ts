import type { KindDescriptor } from '@weft/node-catalogue';
import { choice } from '../../descriptors/build-parameters';
import { operation, refused, resource } from '../vendor/descriptor-parts';
import { FILES } from './descriptor-files';
import { MESSAGE } from './descriptor-message';

const ANALYZE = choice('analyze', 'Ask a question');

/** The node of Gemini, which calls a model itself. */
export const googleGemini: KindDescriptor = {
  kind: 'langchain.googleGemini',
  label: 'Google Gemini',
  description: 'Calls models of Google for text, documents, images, recordings and videos.',
  versions: [1, 1.1, 1.2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [{ type: 'ai_tool', label: 'tools', shownWhen: { resource: ['text'], operation: ['message'] } }],
  credentials: [{ type: 'googlePalmApi', required: true }],
  differs: [
    'The key is sent only to the host of the credential, or to hosts that the credential allows.',
    'A model that still calls tools after 50 answers fails the node.',
    'An answer that the service blocked fails the node, and so does an answer without an image.',
    'A file or a video that the service has not processed after 5 or 15 minutes fails the node.',
  ],
  parameters: [
    resource([
      choice('audio', 'Audio'),
      choice('document', 'Document'),
      choice('file', 'File'),
      refused(
        'fileSearch',
        'The resource "fileSearch"',
        'Use an HTTP Request node with the credential of Google Gemini.',
      ),
      choice('image', 'Image'),
      choice('text', 'Text'),
      choice('video', 'Video'),
    ]),
    operation('text', 'message', [choice('message', 'Message a model')]),
    operation('audio', 'transcribe', [ANALYZE, choice('transcribe', 'Transcribe a recording')]),
    operation('document', 'analyze', [ANALYZE]),
    operation('file', 'upload', [choice('upload', 'Upload a file')]),
    operation('image', 'generate', [ANALYZE, choice('generate', 'Generate an image'), choice('edit', 'Edit images')]),
    operation('video', 'generate', [
      ANALYZE,
      choice('generate', 'Generate a video'),
      choice('download', 'Download a video'),
    ]),
    ...MESSAGE,
    ...FILES,
  ],
};
