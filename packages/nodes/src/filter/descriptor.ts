import type { KindDescriptor } from '@weft/node-catalogue';
import { FILTER_PARAMETERS } from '../descriptors/filter-parameter';
import { TYPED_CONDITIONS } from '../descriptors/typed-conditions';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  conditions: 'Conditions, grouped by the type of their values.',
  combineConditions: 'Whether all conditions must be met, or any one.',
  looseTypeValidation: 'Converts values to the type of the condition instead of failing the node.',
  options: 'Additional options.',
  'options.ignoreCase': 'Applies unless the conditions specify it.',
} as const;

/** Keeps the items whose conditions hold. */
export const filter: KindDescriptor = {
  kind: 'filter',
  label: 'Filter',
  description: 'Keeps the items that match the conditions.',
  versions: [1, 2, 2.1, 2.2, 2.3],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Items that do not match are shown as a second output in the run record, which cannot be connected.'],
  parameters: withHelp(HELP, [
    { ...TYPED_CONDITIONS, until: 1 },
    {
      name: 'combineConditions',
      label: 'Combine',
      type: 'options',
      default: 'AND',
      until: 1,
      options: [
        { value: 'AND', label: 'AND' },
        { value: 'OR', label: 'OR' },
      ],
    },
    ...FILTER_PARAMETERS,
  ]),
};
