import type { KindDescriptor } from '../descriptor';
import { withHelp } from './with-help';

const HELP = {
  batchSize: 'How many items each round of the loop gets.',
  options: 'Less common settings.',
  'options.reset': 'Items that arrive begin the loop anew, instead of going on with it. Needed for loops within loops.',
} as const;

/** Hands out items batch by batch. */
export const splitInBatches: KindDescriptor = {
  kind: 'splitInBatches',
  label: 'Loop over items',
  description: 'Hands out items batch by batch, and gives all that came back at the end.',
  versions: [1, 2, 3],
  groups: ['flow'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['done', 'loop'],
  ports: [
    { until: 1, outputs: ['loop'] },
    { since: 2, until: 2, outputs: ['loop', 'done'] },
  ],
  credentials: [],
  parameters: withHelp(HELP, [
    { name: 'batchSize', label: 'Items per batch', type: 'number', default: 10, until: 2 },
    { name: 'batchSize', label: 'Items per batch', type: 'number', default: 1, since: 3 },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [{ name: 'reset', label: 'Begin anew', type: 'boolean', default: false }],
    },
  ]),
};
