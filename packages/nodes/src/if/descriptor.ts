import type { KindDescriptor } from '@weft/node-catalogue';
import { FILTER_PARAMETERS } from '../descriptors/filter-parameter';
import { TYPED_CONDITIONS } from '../descriptors/typed-conditions';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  conditions: 'Conditions, grouped by the type of their values.',
  combineOperation: 'Whether all conditions must be met, or any one.',
  looseTypeValidation: 'Converts values to the type of the condition instead of failing the node.',
  options: 'Additional options.',
  'options.ignoreCase': 'Applies unless the conditions specify it.',
} as const;

/** Routes each item to one of two outputs. */
export const ifKind: KindDescriptor = {
  kind: 'if',
  label: 'If',
  description: 'Routes each item to the true or the false output.',
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
        { value: 'all', label: 'AND' },
        { value: 'any', label: 'OR' },
      ],
    },
    ...FILTER_PARAMETERS,
  ]),
};
