import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, fieldList } from './list-parameters';

const NEEDS_HISTORY = 'Duplicates of earlier runs are not supported yet: only those within one run.';

/** Takes out items that are equal to another. */
export const removeDuplicates: KindDescriptor = {
  kind: 'removeDuplicates',
  label: 'Remove duplicates',
  description: 'Takes out items that are equal to an earlier one.',
  versions: [1, 1.1, 2],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: [
    {
      name: 'operation', label: 'Operation', type: 'options', default: 'removeDuplicateInputItems', since: 2,
      options: [
        { value: 'removeDuplicateInputItems', label: 'Within the items that come in' },
        { value: 'removeItemsSeenInPreviousExecutions', label: 'Of earlier runs', refused: NEEDS_HISTORY },
        { value: 'clearDeduplicationHistory', label: 'Forget earlier runs', refused: NEEDS_HISTORY },
      ],
    },
    {
      name: 'compare', label: 'Compare', type: 'options', default: 'allFields',
      options: [{ value: 'allFields', label: 'All fields' }, { value: 'allFieldsExcept', label: 'All but chosen fields' }, { value: 'selectedFields', label: 'Chosen fields' }],
    },
    fieldList('fieldsToExclude', 'Fields to leave out', { shownWhen: { compare: ['allFieldsExcept'] } }),
    fieldList('fieldsToCompare', 'Fields to compare', { shownWhen: { compare: ['selectedFields'] } }),
    {
      name: 'options', label: 'Options', type: 'collection', default: {},
      fields: [DISABLE_DOT_NOTATION, { name: 'removeOtherFields', label: 'Leave other fields out', type: 'boolean', default: false }],
    },
  ],
};
