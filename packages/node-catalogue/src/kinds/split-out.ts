import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, fieldList } from './list-parameters';
import { withHelp } from './with-help';

const HELP = {
  fieldToSplitOut: 'Names with commas between them; each is a list. Several are taken side by side.',
  include: 'Which other fields each new item keeps.',
  fieldsToInclude: 'Names with commas between them.',
  options: 'Less common settings.',
  'options.destinationFieldName': 'A name for each field that is split out; its own name otherwise.',
} as const;

/** Makes an item of each entry of a list. */
export const splitOut: KindDescriptor = {
  kind: 'splitOut',
  label: 'Split out',
  description: 'Makes an item of each entry of a list in a field.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    fieldList('fieldToSplitOut', 'Fields to split out', { required: true }),
    {
      name: 'include',
      label: 'Keep',
      type: 'options',
      default: 'noOtherFields',
      options: [
        { value: 'noOtherFields', label: 'No other fields' },
        { value: 'allOtherFields', label: 'All other fields' },
        { value: 'selectedOtherFields', label: 'Chosen other fields' },
      ],
    },
    fieldList('fieldsToInclude', 'Fields to keep', { shownWhen: { include: ['selectedOtherFields'] } }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'destinationFieldName', label: 'Name of the field', type: 'string', default: '' },
        { name: 'includeBinary', label: 'Keep files', type: 'boolean', default: false },
      ],
    },
  ]),
};
