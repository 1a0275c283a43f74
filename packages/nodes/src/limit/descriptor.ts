import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  maxItems: 'Maximum number of items.',
  keep: 'Whether to keep the first or the last items.',
} as const;

export const limit: KindDescriptor = {
  kind: 'limit',
  label: 'Limit',
  description: 'Keeps the first or the last items.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  parameters: withHelp(HELP, [
    { name: 'maxItems', label: 'Maximum number of items', type: 'number', default: 1 },
    {
      name: 'keep',
      label: 'Keep',
      type: 'options',
      default: 'firstItems',
      options: [
        { value: 'firstItems', label: 'First items' },
        { value: 'lastItems', label: 'Last items' },
      ],
    },
  ]),
};
