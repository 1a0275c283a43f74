import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { flag, number } from '../models/descriptor-parts';
import { analyze, files, SOURCE } from '../vendor/descriptor-files';
import {
  messages,
  MODEL_ID,
  of,
  operation,
  options,
  resource,
  SIMPLIFY,
  SKIPS_EMPTY,
} from '../vendor/descriptor-parts';

const SIMPLE = 'If on, only the text of the answer; otherwise the whole response.';

const OPTIONS: readonly ParameterDescriptor[] = [
  text('system', 'System message', '', { editor: 'multiline', help: 'How the model should behave.' }),
  number('temperature', 'Sampling temperature', 0.8, '0 gives the most predictable text.'),
  flag('think', 'Thinking', true, 'For models that think.'),
  number('top_p', 'Top P', 0.7, 'Share of the probability from which tokens are chosen.'),
  number('top_k', 'Top K', 40, 'Number of tokens to choose from.'),
  number('num_predict', 'Maximum number of tokens', 1_024, 'Of the answer.'),
  number('frequency_penalty', 'Frequency penalty', 0, 'Positive values make repetitions less likely.'),
  number('presence_penalty', 'Presence penalty', 0, 'Positive values make new topics more likely.'),
  number('repeat_penalty', 'Repetition penalty', 1.1, 'Above 1, repetitions are less likely.'),
  number('num_ctx', 'Context length', 4_096, 'Tokens that the model sees.'),
  number('repeat_last_n', 'Repeat last N', 64, 'Tokens in which repetitions count; 0 for none, -1 for all.'),
  number('min_p', 'Min P', 0, 'Least probability of a token, relative to that of the most likely one.'),
  number('seed', 'Seed', 0, 'Calls with one seed give the same answer.'),
  text('stop', 'Stop at', '', { help: 'Strings at which the answer ends, separated by commas.' }),
  text('keep_alive', 'Keep alive', '5m', { help: 'Time for which the model stays loaded, such as `1h30m`.' }),
  flag('low_vram', 'Low VRAM mode', false, 'Slower, with less memory.'),
  number('main_gpu', 'Main GPU', 0, 'Number of the GPU for the main computation.'),
  number('num_batch', 'Context batch size', 512, 'Tokens of the prompt that are processed at once.'),
  number('num_gpu', 'Number of GPUs', -1, '-1 for any.'),
  number('num_thread', 'Number of CPU threads', 0, '0 for any.'),
  flag('penalize_newline', 'Penalize newlines', true, 'Makes new lines less likely.'),
  flag('use_mlock', 'Use memory locking', false, 'Keeps the model in memory.'),
  flag('use_mmap', 'Use memory mapping', true, 'Maps the model into memory.'),
  flag('vocab_only', 'Load vocabulary only', false, 'Loads the vocabulary without the weights.'),
  {
    name: 'format',
    label: 'Output format',
    type: 'options',
    default: '',
    help: 'With JSON, the prompt must ask for JSON as well.',
    options: [choice('', 'Default'), choice('json', 'JSON')],
  },
];

/** The node of Ollama, which calls a model itself. */
export const ollama: KindDescriptor = {
  kind: 'langchain.ollama',
  label: 'Ollama',
  description: 'Calls models on a server of Ollama for text and images.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  accepts: [{ type: 'ai_tool', label: 'tools', shownWhen: { resource: ['text'], operation: ['message'] } }],
  credentials: [{ type: 'ollamaApi', required: true }],
  differs: [
    'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.',
    'Tools are called until the model answers, at most 15 times; n8n asks the model only once after the first calls.',
    'Output format, keep alive and the system message of questions about images take effect.',
    'A prompt without text fails the node.',
  ],
  parameters: [
    resource([choice('image', 'Image'), choice('text', 'Text')]),
    operation('text', 'message', [choice('message', 'Message a model')]),
    operation('image', 'analyze', [choice('analyze', 'Ask about images')]),
    ...of(
      'text',
      ['message'],
      [
        MODEL_ID,
        messages([choice('user', 'User'), choice('assistant', 'Assistant')], SKIPS_EMPTY),
        SIMPLIFY(SIMPLE),
        options(...OPTIONS),
      ],
    ),
    ...analyze('image', {
      noun: 'image',
      files: files('imageUrls', { ...SOURCE, default: 'binary' }),
      simplify: SIMPLE,
      options: OPTIONS,
    }),
  ],
};
