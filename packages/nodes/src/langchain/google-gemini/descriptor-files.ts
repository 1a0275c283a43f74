import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { number, words } from '../models/descriptor-parts';
import { analyze, files, UPLOAD } from '../vendor/descriptor-files';
import { file, fileOutput, MODEL_ID, of, options, SIMPLIFY } from '../vendor/descriptor-parts';

const SIMPLE_HELP = 'If on, an item for each answer of the model; otherwise the whole response.';

/** The parameters of a question about files. @param noun what the files are */
const question = (resource: string, noun: string): ParameterDescriptor[] =>
  analyze(resource, {
    noun,
    files: files(`${resource}Urls`),
    simplify: SIMPLE_HELP,
    options: [number('maxOutputTokens', 'Maximum number of tokens', 300, 'Of the answer.')],
  });

const TRANSCRIBE = of(
  'audio',
  ['transcribe'],
  [
    MODEL_ID,
    ...files('audioUrls'),
    SIMPLIFY(SIMPLE_HELP),
    options(
      text('startTime', 'From', '', { help: 'Time in the recording, such as 00:15.' }),
      text('endTime', 'To', '', { help: 'Time in the recording, such as 02:15.' }),
    ),
  ],
);

const prompt = (help: string): ParameterDescriptor =>
  text('prompt', 'Prompt', '', { required: true, editor: 'multiline', help });

const IMAGES = [
  ...of(
    'image',
    ['generate'],
    [
      { ...MODEL_ID, until: 1.1 },
      {
        ...MODEL_ID,
        default: { __rl: true, mode: 'list', value: 'models/gemini-3.1-flash-image-preview' },
        since: 1.2,
      },
      prompt('Description of the image.'),
      options(number('sampleCount', 'Images', 1, 'For models of the family Imagen.'), fileOutput()),
    ],
  ),
  ...of(
    'image',
    ['edit'],
    [
      MODEL_ID,
      prompt('Description of the change.'),
      {
        name: 'images',
        label: 'Images',
        type: 'fixedCollection',
        multiple: true,
        default: { values: [{ binaryPropertyName: 'data' }] },
        help: 'Files of the item that are sent with the prompt.',
        groups: [{ name: 'values', label: 'Image', fields: [file('Field of the file.')] }],
      },
      options(fileOutput('edited')),
    ],
  ),
];

const VIDEOS = [
  ...of(
    'video',
    ['generate'],
    [
      MODEL_ID,
      prompt('Description of the video.'),
      {
        name: 'returnAs',
        label: 'Output',
        type: 'options',
        default: 'video',
        options: [choice('video', 'File'), choice('url', 'Address')],
        help: 'The video, or the address at which it can be downloaded with the key.',
      },
      options(
        number('sampleCount', 'Videos', 1, 'From 1 to 4.'),
        number('durationSeconds', 'Duration (s)', 8, 'From 5 to 8, for models that have a choice.'),
        words('aspectRatio', 'Aspect ratio', '16:9', ['16:9', '9:16'], 'Width to height.'),
        words('personGeneration', 'People', 'dont_allow', ['dont_allow', 'allow_adult', 'allow_all'], 'In the video.'),
        fileOutput(),
      ),
    ],
  ),
  ...of(
    'video',
    ['download'],
    [
      text('url', 'Address', '', { help: 'Address of the video at the service, on the host of the credential.' }),
      options(fileOutput()),
    ],
  ),
];

/** Parameters of all operations but messages. */
export const FILES: readonly ParameterDescriptor[] = [
  ...question('image', 'image'),
  ...question('audio', 'audio'),
  ...question('document', 'document'),
  ...question('video', 'video'),
  ...TRANSCRIBE,
  ...of('file', ['upload'], UPLOAD),
  ...IMAGES,
  ...VIDEOS,
];
