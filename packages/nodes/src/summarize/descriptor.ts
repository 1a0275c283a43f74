import type { KindDescriptor } from '@weft/node-catalogue';
import { DISABLE_DOT_NOTATION, fieldList, FIELDS_TO_SUMMARIZE } from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  fieldsToSplitBy: 'Comma-separated field names. Outputs one item per group of equal values.',
  options: 'Additional options.',
} as const;

/** Aggregates the values of items, by group. */
export const summarize: KindDescriptor = {
  kind: 'summarize',
  label: 'Summarize',
  description: 'Aggregates the values of items by group: sums, counts, lists and more.',
  versions: [1, 1.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    FIELDS_TO_SUMMARIZE,
    fieldList('fieldsToSplitBy', 'Fields to split by', { placeholder: 'id, name' }),
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        {
          name: 'continueIfFieldNotFound',
          label: 'Continue if field not found',
          type: 'boolean',
          default: false,
          until: 1,
        },
        DISABLE_DOT_NOTATION,
        {
          name: 'outputFormat',
          label: 'Output format',
          type: 'options',
          default: 'separateItems',
          options: [
            { value: 'separateItems', label: 'Each split in a separate item' },
            { value: 'singleItem', label: 'All splits in a single item' },
          ],
        },
        {
          name: 'skipEmptySplitFields',
          label: 'Ignore items without values in group by fields',
          type: 'boolean',
          default: false,
        },
      ],
    },
  ]),
};
