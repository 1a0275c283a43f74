import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from '../descriptors/build-parameters';

const CLASH: ParameterDescriptor = {
  name: 'clashHandling',
  label: 'Clash handling',
  type: 'fixedCollection',
  groups: [
    {
      name: 'values',
      label: 'Values',
      fields: [
        { name: 'resolveClash', label: 'When field values clash', type: 'string', default: 'addSuffix' },
        {
          name: 'mergeMode',
          label: 'Merging nested fields',
          type: 'options',
          default: 'deepMerge',
          options: [choice('deepMerge', 'Deep merge'), choice('shallowMerge', 'Shallow merge')],
        },
        { name: 'overrideEmpty', label: 'Minimize empty fields', type: 'boolean', default: false },
      ],
    },
  ],
};
/** Options of Merge from version 2 on. */
export const MERGE_OPTIONS: readonly ParameterDescriptor[] = [
  CLASH,
  { name: 'disableDotNotation', label: 'Disable dot notation', type: 'boolean', default: false },
  { name: 'fuzzyCompare', label: 'Fuzzy compare', type: 'boolean', default: false },
  { name: 'includeUnpaired', label: 'Include any unpaired items', type: 'boolean', default: false },
  {
    name: 'multipleMatches',
    label: 'Multiple matches',
    type: 'options',
    default: 'all',
    options: [choice('all', 'All'), choice('first', 'First match')],
  },
  {
    name: 'emptyQueryResult',
    label: 'Empty query result',
    type: 'options',
    default: 'empty',
    since: 3.2,
    options: [choice('success', 'Success'), choice('empty', 'Empty result')],
  },
  { name: 'queryParameters', label: 'Query parameters', type: 'string', default: '', since: 3 },
];
