import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, fieldList } from './list-parameters';

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
  parameters: [
    fieldList('fieldToSplitOut', 'Fields to split out', { required: true }),
    {
      name: 'include', label: 'Keep', type: 'options', default: 'noOtherFields',
      options: [
        { value: 'noOtherFields', label: 'No other fields' },
        { value: 'allOtherFields', label: 'All other fields' },
        { value: 'selectedOtherFields', label: 'Chosen other fields' },
      ],
    },
    fieldList('fieldsToInclude', 'Fields to keep', { shownWhen: { include: ['selectedOtherFields'] } }),
    {
      name: 'options', label: 'Options', type: 'collection', default: {},
      fields: [
        DISABLE_DOT_NOTATION,
        { name: 'destinationFieldName', label: 'Name of the field', type: 'string', default: '' },
        { name: 'includeBinary', label: 'Keep files', type: 'boolean', default: false },
      ],
    },
  ],
};
