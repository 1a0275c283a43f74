import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import { BY_ADDRESS, file, MODEL_ID, of, options, SIMPLIFY } from './descriptor-parts';

/** Where files come from. */
export const SOURCE: ParameterDescriptor = {
  name: 'inputType',
  label: 'Source',
  type: 'options',
  default: 'url',
  help: 'Where the files come from.',
  options: [choice('url', 'Addresses'), choice('binary', 'Files of the item')],
};

/** Parameters for files. @param addresses name of the parameter with their addresses */
export const files = (
  addresses: string,
  source: ParameterDescriptor = SOURCE,
  help = 'Separated by commas.',
): readonly ParameterDescriptor[] => [
  source,
  text(addresses, 'Addresses', '', { shownWhen: BY_ADDRESS, help }),
  { ...file('Fields of the files, separated by commas.'), shownWhen: { inputType: ['binary'] } },
];

/** Parameters of an upload of one file to the service. */
export const UPLOAD: readonly ParameterDescriptor[] = [
  SOURCE,
  text('fileUrl', 'Address', '', { shownWhen: BY_ADDRESS, help: 'The file is downloaded from here.' }),
  { ...file('Field of the file.'), shownWhen: { inputType: ['binary'] } },
];

/** Parts of the parameters of a question about files. */
export interface Question {
  /** The kind of the files in a word, such as `image`. */
  readonly noun: string;
  readonly files: readonly ParameterDescriptor[];
  /** Help of `simplify`. */
  readonly simplify: string;
  readonly options: readonly ParameterDescriptor[];
}

/** The parameters of the operation `analyze` of a resource. */
export const analyze = (resource: string, { noun, files: source, simplify, options: fields }: Question) =>
  of(
    resource,
    ['analyze'],
    [
      MODEL_ID,
      text('text', 'Question', `What's in this ${noun}?`, {
        editor: 'multiline',
        help: 'The question about the files.',
      }),
      ...source,
      SIMPLIFY(simplify),
      options(...fields),
    ],
  );
