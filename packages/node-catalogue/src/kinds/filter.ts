import type { KindDescriptor } from '../descriptor';
import { FILTER_PARAMETERS } from './filter-parameter';
import { TYPED_CONDITIONS } from './typed-conditions';
import { withHelp } from './with-help';

const HELP = {
  conditions: 'Lists of conditions by the type of their values.',
  combineConditions: 'Whether all have to hold, or one.',
  looseTypeValidation:
    'Values that do not have the type of the condition are converted to it, instead of failing the node.',
  options: 'Less common settings.',
  'options.ignoreCase': 'Counts where the conditions themselves say nothing.',
} as const;

/** Keeps the items whose conditions hold. */
export const filter: KindDescriptor = {
  kind: 'filter',
  label: 'Filter',
  description: 'Keeps the items whose conditions hold.',
  versions: [1, 2, 2.1, 2.2, 2.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Items that do not pass are shown on a second output of the run record, which nothing can be linked to.'],
  parameters: withHelp(HELP, [
    { ...TYPED_CONDITIONS, until: 1 },
    {
      name: 'combineConditions',
      label: 'Combine',
      type: 'options',
      default: 'AND',
      until: 1,
      options: [
        { value: 'AND', label: 'All have to hold' },
        { value: 'OR', label: 'One has to hold' },
      ],
    },
    ...FILTER_PARAMETERS,
  ]),
};
