import type { KindDescriptor } from '../descriptor';
import { FILTER_PARAMETERS } from './filter-parameter';
import { TYPED_CONDITIONS } from './typed-conditions';
import { withHelp } from './with-help';

const HELP = {
  conditions: 'Lists of conditions by the type of their values.',
  combineOperation: 'Whether all have to hold, or one.',
  looseTypeValidation:
    'Values that do not have the type of the condition are converted to it, instead of failing the node.',
  options: 'Less common settings.',
  'options.ignoreCase': 'Counts where the conditions themselves say nothing.',
} as const;

/** Sends each item one of two ways. */
export const ifKind: KindDescriptor = {
  kind: 'if',
  label: 'If',
  description: 'Sends each item to the first output if the conditions hold, else to the second.',
  versions: [1, 2, 2.1, 2.2, 2.3],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['true', 'false'],
  credentials: [],
  parameters: withHelp(HELP, [
    { ...TYPED_CONDITIONS, until: 1 },
    {
      name: 'combineOperation',
      label: 'Combine',
      type: 'options',
      default: 'all',
      until: 1,
      options: [
        { value: 'all', label: 'All have to hold' },
        { value: 'any', label: 'One has to hold' },
      ],
    },
    ...FILTER_PARAMETERS,
  ]),
};
