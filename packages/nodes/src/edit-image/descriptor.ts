import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';
import { EDIT_OPERATIONS, EDIT_PARAMETERS } from './descriptor-operations';

const HELP = {
  operation: 'What is done with the image.',
  dataPropertyName: 'Binary field with the image.',
  operations: 'The operations, one after the other.',
  options: 'Where and how the result is stored.',
  'options.destinationKey': 'Binary field for the result; that of the image if empty.',
  'options.fileName': 'File name of the result.',
  'options.format': 'Format of the result; that of the image if not set, PNG after creating and combining.',
  'options.quality': 'Compression from 0 to 100, of JPEG, PNG, TIFF and WebP; 75 if not set.',
} as const;

const font: ParameterDescriptor = {
  ...text('font', 'Font'),
  help:
    'Name or file name of a font. There is one family, Arimo, whose letters are as wide as those of Arial: "bold" ' +
    'and "italic" in the name choose its style.',
};

/** Changes images, creates them and describes them. */
export const editImage: KindDescriptor = {
  kind: 'editImage',
  label: 'Edit Image',
  description: 'Blurs, crops, resizes, rotates, combines and draws on images, creates them and describes them.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: [
    'Reads PNG, JPEG, GIF, WebP, TIFF, BMP, HEIC and AVIF of up to 25 million pixels, and no SVG or PDF.',
    'Every text is written in Arimo, whatever font is named.',
    'A crop outside of the image, a size of 0 and an unknown colour are errors.',
    'To copy cyan, magenta or yellow copies red, green or blue; to copy black changes nothing.',
    '"Get information" leaves the file as it is, and states neither a signature nor times.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'operation',
      label: 'Operation',
      type: 'options',
      default: 'border',
      options: [choice('information', 'Get information'), choice('multiStep', 'Multi step'), ...EDIT_OPERATIONS],
    },
    text('dataPropertyName', 'Binary field', 'data'),
    {
      name: 'operations',
      label: 'Operations',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      shownWhen: { operation: ['multiStep'] },
      groups: [
        {
          name: 'operations',
          label: 'Operations',
          fields: [
            {
              name: 'operation',
              label: 'Operation',
              type: 'options',
              default: '',
              options: EDIT_OPERATIONS,
              help: 'What is done with the image.',
            },
            ...EDIT_PARAMETERS,
            { ...font, shownWhen: { operation: ['text'] } },
          ],
        },
      ],
    },
    ...EDIT_PARAMETERS,
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      help: 'Additional options.',
      hiddenWhen: { operation: ['information'] },
      fields: [
        text('destinationKey', 'Output binary field', ''),
        text('fileName', 'File name', ''),
        { ...font, shownWhen: { '/operation': ['text'] } },
        {
          name: 'format',
          label: 'Format',
          type: 'options',
          options: [
            choice('bmp', 'BMP'),
            choice('gif', 'GIF'),
            choice('jpeg', 'JPEG'),
            choice('png', 'PNG'),
            choice('tiff', 'TIFF'),
            choice('webp', 'WebP'),
          ],
        },
        { name: 'quality', label: 'Quality', type: 'number' },
      ],
    },
  ]),
};
