import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { number, words } from '../models/descriptor-parts';
import { BY_ADDRESS, file, fileOutput, MODEL_ID, of, options, SIMPLIFY } from '../vendor/descriptor-parts';

const SOURCE: ParameterDescriptor = {
  name: 'inputType',
  label: 'Source',
  type: 'options',
  default: 'url',
  help: 'Where the files come from.',
  options: [choice('url', 'Addresses'), choice('binary', 'Files of the item')],
};

/** Parameters for files. @param addresses name of the parameter with their addresses */
const files = (addresses: string): readonly ParameterDescriptor[] => [
  SOURCE,
  text(addresses, 'Addresses', '', { shownWhen: BY_ADDRESS, help: 'Separated by commas.' }),
  { ...file('Fields of the files, separated by commas.'), shownWhen: { inputType: ['binary'] } },
];

const SIMPLE = SIMPLIFY('If on, an item for each answer of the model; otherwise the whole response.');

/** The parameters of a question about files. @param noun what the files are */
const analyze = (resource: string, noun: string): ParameterDescriptor[] =>
  of(
    resource,
    ['analyze'],
    [
      MODEL_ID,
      text('text', 'Question', `What's in this ${noun}?`, {
        editor: 'multiline',
        help: 'The question about the files.',
      }),
      ...files(`${resource}Urls`),
      SIMPLE,
      options(number('maxOutputTokens', 'Maximum number of tokens', 300, 'Of the answer.')),
    ],
  );

const TRANSCRIBE = of(
  'audio',
  ['transcribe'],
  [
    MODEL_ID,
    ...files('audioUrls'),
    SIMPLE,
    options(
      text('startTime', 'From', '', { help: 'Time in the recording, such as 00:15.' }),
      text('endTime', 'To', '', { help: 'Time in the recording, such as 02:15.' }),
    ),
  ],
);

const UPLOAD = of(
  'file',
  ['upload'],
  [
    SOURCE,
    text('fileUrl', 'Address', '', { shownWhen: BY_ADDRESS, help: 'The file is downloaded from here.' }),
    { ...file('Field of the file.'), shownWhen: { inputType: ['binary'] } },
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
  ...analyze('image', 'image'),
  ...analyze('audio', 'audio'),
  ...analyze('document', 'document'),
  ...analyze('video', 'video'),
  ...TRANSCRIBE,
  ...UPLOAD,
  ...IMAGES,
  ...VIDEOS,
];
