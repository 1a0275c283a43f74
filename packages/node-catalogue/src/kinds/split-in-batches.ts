import type { KindDescriptor } from '../descriptor';

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
  ports: [{ until: 1, outputs: ['loop'] }, { since: 2, until: 2, outputs: ['loop', 'done'] }],
  credentials: [],
  parameters: [
    { name: 'batchSize', label: 'Items per batch', type: 'number', default: 10, until: 2 },
    { name: 'batchSize', label: 'Items per batch', type: 'number', default: 1, since: 3 },
    { name: 'options', label: 'Options', type: 'collection', default: {}, fields: [{ name: 'reset', label: 'Begin anew', type: 'boolean', default: false }] },
  ],
};
