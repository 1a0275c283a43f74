import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../descriptors/build-parameters';
import { withHelp } from '../descriptors/with-help';
import { EDIT_OPERATIONS, EDIT_PARAMETERS } from './descriptor-operations';

const HELP = {
  operation: 'The operation to perform.',
  dataPropertyName: 'Binary field with the image.',
  operations: 'The operations to perform, in order.',
  options: 'Where and how to store the result.',
  'options.destinationKey': 'Binary field for the result. Default: the field of the image.',
  'options.fileName': 'File name of the result.',
  'options.format': 'Format of the result. Default: the format of the image; PNG after creating or combining images.',
  'options.quality': 'Compression from 0 to 100 for JPEG, PNG, TIFF and WebP. Default: 75.',
} as const;

const font: ParameterDescriptor = {
  ...text('font', 'Font'),
  help:
    'Name or file name of a font. There is one family, Arimo, whose letters are as wide as those of Arial: "bold" ' +
    'and "italic" in the name select its style.',
};

/** Changes, creates and describes images. */
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
    'Reads PNG, JPEG, GIF, WebP, TIFF, BMP, HEIC and AVIF of up to 25 million pixels, but neither SVG nor PDF.',
    'All text is written in Arimo, whatever the font setting.',
    'A crop outside the image, a size of 0 and an unknown colour are errors.',
    'Copying cyan, magenta or yellow copies red, green or blue; copying black changes nothing.',
    '"Get information" does not change the file, and returns neither a signature nor times.',
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
              help: 'The operation to perform.',
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
