import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  maxItems: 'How many are kept.',
  keep: 'From which end.',
} as const;

/** Keeps the first or the last items. */
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
    { name: 'maxItems', label: 'Items at most', type: 'number', default: 1 },
    {
      name: 'keep',
      label: 'Keep',
      type: 'options',
      default: 'firstItems',
      options: [
        { value: 'firstItems', label: 'The first' },
        { value: 'lastItems', label: 'The last' },
      ],
    },
  ]),
};
