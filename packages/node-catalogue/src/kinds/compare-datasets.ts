import type { KindDescriptor } from '../descriptor';
import { DISABLE_DOT_NOTATION } from './list-parameters';
import { withHelp } from './with-help';

const RESOLVE = [
  { value: 'preferInput1', label: 'The item of input A' },
  { value: 'preferInput2', label: 'The item of input B' },
  { value: 'mix', label: 'A mix of both' },
  { value: 'includeBoth', label: 'What differs' },
];
const FUZZY = { name: 'fuzzyCompare', label: 'Compare loosely', type: 'boolean', default: false } as const;

const HELP = {
  mergeByFields: 'Items belong together if all these fields have equal values.',
  resolve: 'What the output for differing items holds.',
  fuzzyCompare: 'Numbers and texts that say the same count as equal, and so do empty values of any type.',
  preferWhenMix: 'The input whose values are taken.',
  exceptWhenMix: 'Names with commas between them: these fields come from the other input.',
  options: 'Less common settings.',
  'options.skipFields': 'Names with commas between them: differences in them do not count.',
  'options.multipleMatches': 'What happens if an item has several partners.',
} as const;

/** Tells two lists apart. */
export const compareDatasets: KindDescriptor = {
  kind: 'compareDatasets',
  label: 'Compare datasets',
  description: 'Tells two lists apart: what is in the first only, the same in both, different, in the second only.',
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
            { name: 'field1', label: 'Field of input A', type: 'string', default: '' },
            { name: 'field2', label: 'Field of input B', type: 'string', default: '' },
          ],
        },
      ],
    },
    {
      name: 'resolve',
      label: 'When items differ, give',
      type: 'options',
      default: 'preferInput2',
      until: 1,
      options: RESOLVE,
    },
    {
      name: 'resolve',
      label: 'When items differ, give',
      type: 'options',
      default: 'includeBoth',
      since: 2,
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
    { name: 'exceptWhenMix', label: 'Except for fields', type: 'string', default: '', shownWhen: { resolve: ['mix'] } },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [
        { name: 'skipFields', label: 'Fields that do not count', type: 'string', default: '' },
        { ...FUZZY, until: 1 },
        DISABLE_DOT_NOTATION,
        {
          name: 'multipleMatches',
          label: 'Matches to take',
          type: 'options',
          default: 'first',
          options: [
            { value: 'first', label: 'The first' },
            { value: 'all', label: 'All' },
          ],
        },
      ],
    },
  ]),
};
