import type { KindDescriptor } from '@weft/node-catalogue';
import { DISABLE_DOT_NOTATION } from '../descriptors/list-parameters';
import { withHelp } from '../descriptors/with-help';

const RESOLVE = [
  { value: 'preferInput1', label: 'Use input A version' },
  { value: 'preferInput2', label: 'Use input B version' },
  { value: 'mix', label: 'Use a mix of versions' },
  { value: 'includeBoth', label: 'Include both versions' },
];
const FUZZY = { name: 'fuzzyCompare', label: 'Fuzzy compare', type: 'boolean', default: false } as const;

const HELP = {
  mergeByFields: 'Items match if all these fields have equal values.',
  resolve: 'Output for items that differ.',
  fuzzyCompare: 'Numbers and strings with the same content are equal, as are empty values of any type.',
  preferWhenMix: 'The input whose values are preferred.',
  exceptWhenMix: 'Comma-separated names of fields that are taken from the other input.',
  options: 'Additional options.',
  'options.skipFields': 'Comma-separated names of fields to ignore in the comparison.',
  'options.multipleMatches': 'Which matches to include if an item has several.',
} as const;

/** Compares two inputs. */
export const compareDatasets: KindDescriptor = {
  kind: 'compareDatasets',
  label: 'Compare datasets',
  description: 'Compares two inputs: items in A only, same, different, and in B only.',
  versions: [1, 2, 2.1, 2.2, 2.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['Input A', 'Input B'],
  outputs: ['In A only', 'Same', 'Different', 'In B only'],
  credentials: [],
  parameters: withHelp(HELP, [
    {
      name: 'mergeByFields',
      label: 'Fields to match',
      type: 'fixedCollection',
      multiple: true,
      default: {},
      groups: [
        {
          name: 'values',
          label: 'Fields',
          fields: [
            { name: 'field1', label: 'Input A field', type: 'string', default: '' },
            { name: 'field2', label: 'Input B field', type: 'string', default: '' },
          ],
        },
      ],
    },
    {
      name: 'resolve',
      label: 'When there are differences',
      type: 'options',
      default: 'preferInput2',
      until: 2,
      options: RESOLVE,
    },
    {
      name: 'resolve',
      label: 'When there are differences',
      type: 'options',
      default: 'includeBoth',
      since: 2.1,
      options: RESOLVE,
    },
    { ...FUZZY, since: 2 },
    {
      name: 'preferWhenMix',
      label: 'Prefer',
      type: 'options',
      default: 'input1',
      shownWhen: { resolve: ['mix'] },
      options: [
        { value: 'input1', label: 'Input A' },
        { value: 'input2', label: 'Input B' },
      ],
    },
    {
      name: 'exceptWhenMix',
      label: 'For everything except',
      type: 'string',
      default: '',
      shownWhen: { resolve: ['mix'] },
    },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'skipFields', label: 'Fields to skip comparing', type: 'string', default: '', placeholder: 'id, name' },
        { ...FUZZY, until: 1 },
        DISABLE_DOT_NOTATION,
        {
          name: 'multipleMatches',
          label: 'Multiple matches',
          type: 'options',
          default: 'first',
          options: [
            { value: 'first', label: 'Include first match only' },
            { value: 'all', label: 'Include all matches' },
          ],
        },
      ],
    },
  ]),
};
