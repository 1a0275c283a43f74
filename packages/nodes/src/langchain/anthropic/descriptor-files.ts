import type { ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../../descriptors/build-parameters';
import { flag, number } from '../models/descriptor-parts';
import { analyze, files, UPLOAD } from '../vendor/descriptor-files';
import { messages, of, options, SIMPLIFY, SKIPS_EMPTY } from '../vendor/descriptor-parts';
import { ROLES } from './descriptor-message';

const SIMPLE = 'If on, only the content of the answer; otherwise the whole response.';

const question = (resource: 'image' | 'document'): ParameterDescriptor[] =>
  analyze(resource, {
    noun: resource,
    files: files(`${resource}Urls`),
    simplify: SIMPLE,
    options: [number('maxTokens', 'Maximum number of tokens', 1_024, 'Of the answer.')],
  });

const FILE = [
  ...of(
    'file',
    ['upload'],
    [...UPLOAD, options(text('fileName', 'File name', '', { help: 'At the service; `file` if it is empty.' }))],
  ),
  ...of('file', ['get', 'deleteFile'], [text('fileId', 'File ID', '', { required: true, help: 'ID at the service.' })]),
  ...of(
    'file',
    ['list'],
    [
      flag('returnAll', 'Return all', false, 'If on, all files of the account.'),
      {
        ...number('limit', 'Limit', 50, 'Largest number of files, from 1 to 1,000.'),
        shownWhen: { returnAll: [false] },
      },
    ],
  ),
];

const SIMPLE_PROMPT = SIMPLIFY('If on, only the prompt; otherwise the whole response.');
const SYSTEM = text('system', 'System message', '', { editor: 'multiline', help: 'The system message of the prompt.' });

const PROMPTS = [
  ...of(
    'prompt',
    ['generate'],
    [text('task', 'Task', '', { editor: 'multiline', required: true, help: 'Purpose of the prompt.' }), SIMPLE_PROMPT],
  ),
  ...of(
    'prompt',
    ['improve'],
    [
      messages(ROLES, SKIPS_EMPTY),
      SIMPLE_PROMPT,
      options(
        SYSTEM,
        text('feedback', 'Feedback', '', {
          editor: 'multiline',
          help: 'Faults of the prompt, or things that it lacks.',
        }),
      ),
    ],
  ),
  ...of('prompt', ['templatize'], [messages(ROLES, SKIPS_EMPTY), SIMPLE_PROMPT, options(SYSTEM)]),
];

/** Parameters of all operations but messages. */
export const FILES_AND_PROMPTS: readonly ParameterDescriptor[] = [
  ...question('document'),
  ...question('image'),
  ...FILE,
  ...PROMPTS,
];
