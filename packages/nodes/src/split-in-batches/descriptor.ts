import type { KindDescriptor } from '@weft/node-catalogue';
import { withHelp } from '../descriptors/with-help';

const HELP = {
  batchSize: 'Number of items in each iteration of the loop.',
  options: 'Additional options.',
  'options.reset': 'Restarts the loop with the incoming items instead of continuing it. Required for nested loops.',
} as const;

/** Outputs items in batches. */
export const splitInBatches: KindDescriptor = {
  kind: 'splitInBatches',
  label: 'Loop over items',
  description: 'Outputs items in batches and, when the loop is done, all processed items.',
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
    { name: 'batchSize', label: 'Batch size', type: 'number', default: 10, until: 2 },
    { name: 'batchSize', label: 'Batch size', type: 'number', default: 1, since: 3 },
    {
      name: 'options',
      label: 'Options',
      type: 'collection',
      default: {},
      fields: [{ name: 'reset', label: 'Reset', type: 'boolean', default: false }],
    },
  ]),
};
