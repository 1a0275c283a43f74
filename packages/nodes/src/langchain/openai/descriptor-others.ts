import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { flag, number, words } from '../models/descriptor-parts';
import { BY_ADDRESS, file, fileOutput, MODEL_ID, of, options, SIMPLIFY } from '../vendor/descriptor-parts';

const ANALYZE = of(
  'image',
  ['analyze'],
  [
    { ...MODEL_ID, since: 1.4 },
    text('text', 'Question', "What's in this image?", { editor: 'multiline', help: 'The question about the images.' }),
    {
      name: 'inputType',
      label: 'Source',
      type: 'options',
      default: 'url',
      help: 'Where the images come from.',
      options: [choice('url', 'Addresses'), choice('base64', 'Files of the item')],
    },
    text('imageUrls', 'Addresses', '', { shownWhen: BY_ADDRESS, help: 'Separated by commas.' }),
    { ...file('Fields of the files, separated by commas.'), shownWhen: { inputType: ['base64'] } },
    SIMPLIFY('If on, only the answer; otherwise the whole response.'),
    options(
      words('detail', 'Detail', 'auto', ['auto', 'low', 'high'], 'Not sent: the service chooses it.'),
      number('maxTokens', 'Maximum number of tokens', 300, 'Of the answer.'),
    ),
  ],
);

const SIZES = [...['256x256', '512x512', '1024x1024', '1792x1024', '1024x1792', '1024x1536', '1536x1024']] as const;

const GENERATE = of(
  'image',
  ['generate'],
  [
    {
      ...words('model', 'Model', 'dall-e-3', ['dall-e-2', 'dall-e-3', 'gpt-image-1'], 'The model for images.'),
      until: 2.1,
    },
    { ...MODEL_ID, default: { __rl: true, mode: 'list', value: 'gpt-image-1-mini' }, since: 2.2 },
    text('prompt', 'Prompt', '', { required: true, editor: 'multiline', help: 'Description of the image.' }),
    options(
      number('n', 'Images', 1, 'From 1 to 10, for models that make several.'),
      words('dalleQuality', 'Quality', 'standard', ['hd', 'standard'], 'For dall-e-3.'),
      words('quality', 'Quality', 'medium', ['high', 'medium', 'low'], 'For models gpt-image.'),
      words('size', 'Size', '1024x1024', SIZES, 'Each model has some of them.'),
      words('style', 'Style', 'vivid', ['natural', 'vivid'], 'For dall-e-3.'),
      flag('returnImageUrls', 'Addresses', false, 'If on, the output has addresses in place of files.'),
      fileOutput(),
    ),
  ],
);

const RECORDING = file('Field with the recording.');
const TEMPERATURE = number('temperature', 'Sampling temperature', 0, '0 gives the most predictable text.');

const AUDIO = [
  ...of('audio', ['transcribe', 'translate'], [RECORDING]),
  ...of(
    'audio',
    ['transcribe'],
    [options(text('language', 'Language', '', { help: 'ISO 639-1, for example en.' }), TEMPERATURE)],
  ),
  ...of('audio', ['translate'], [options(TEMPERATURE)]),
  ...of(
    'audio',
    ['generate'],
    [
      words('model', 'Model', 'tts-1', ['tts-1', 'tts-1-hd'], 'The model for speech.'),
      text('input', 'Text', '', { required: true, editor: 'multiline', help: 'The text to speak.' }),
      words('voice', 'Voice', 'alloy', ['alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer'], 'Who speaks.'),
      options(
        words('response_format', 'Format', 'mp3', ['mp3', 'opus', 'aac', 'flac'], 'Of the file.'),
        number('speed', 'Speed', 1, 'From 0.25 to 4.'),
        fileOutput(),
      ),
    ],
  ),
];

const CLASSIFY = of(
  'text',
  ['classify'],
  [
    text('input', 'Text', '', { required: true, editor: 'multiline', help: 'The text to check.' }),
    SIMPLIFY('If on, only whether the text is flagged.', false),
    {
      ...options(flag('useStableModel', 'Stable model', false, 'If on, a model that changes less often.')),
      until: 2,
    },
  ],
);

/** Parameters of all operations but messages. */
export const OTHERS: readonly ParameterDescriptor[] = [...ANALYZE, ...GENERATE, ...AUDIO, ...CLASSIFY];
