import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION, fieldList, FIELDS_TO_SUMMARIZE } from './list-parameters';
import { withHelp } from './with-help';

const HELP = {
  fieldsToSplitBy: 'Names with commas between them: an item for each group of equal values.',
  options: 'Less common settings.',
} as const;

/** Brings the values of items together, by group. */
export const summarize: KindDescriptor = {
  kind: 'summarize',
  label: 'Summarize',
  description: 'Brings the values of items together: sums, counts, lists and more, by group.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    FIELDS_TO_SUMMARIZE,
    fieldList('fieldsToSplitBy', 'Group by', {}),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'continueIfFieldNotFound', label: 'Go on without a field', type: 'boolean', default: false, until: 1 },
        DISABLE_DOT_NOTATION,
        {
          name: 'outputFormat',
          label: 'Give',
          type: 'options',
          default: 'separateItems',
          options: [
            { value: 'separateItems', label: 'An item for each group' },
            { value: 'singleItem', label: 'One item' },
          ],
        },
        { name: 'skipEmptySplitFields', label: 'Leave groups without a value out', type: 'boolean', default: false },
      ],
    },
  ]),
};
