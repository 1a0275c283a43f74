import type { KindDescriptor } from '@weft/node-catalogue';
import { DISABLE_DOT_NOTATION, fieldList } from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  fieldToSplitOut: 'Comma-separated names of fields with arrays. Several fields are split in parallel.',
  include: 'Which other fields each output item includes.',
  fieldsToInclude: 'Comma-separated names.',
  options: 'Additional options.',
  'options.destinationFieldName': 'Names of the output fields. Default: the names of the input fields.',
} as const;

/** Creates an item from each entry of an array. */
export const splitOut: KindDescriptor = {
  kind: 'splitOut',
  label: 'Split out',
  description: 'Creates an item for each element of an array field.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    fieldList('fieldToSplitOut', 'Fields to split out', { required: true, placeholder: 'id, name' }),
    {
      name: 'include',
      label: 'Include',
      type: 'options',
      default: 'noOtherFields',
      options: [
        { value: 'noOtherFields', label: 'No other fields' },
        { value: 'allOtherFields', label: 'All other fields' },
        { value: 'selectedOtherFields', label: 'Selected other fields' },
      ],
    },
    fieldList('fieldsToInclude', 'Fields to include', {
      shownWhen: { include: ['selectedOtherFields'] },
      placeholder: 'id, name',
    }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'destinationFieldName', label: 'Destination field name', type: 'string', default: '' },
        { name: 'includeBinary', label: 'Include binary data', type: 'boolean', default: false },
      ],
    },
  ]),
};
