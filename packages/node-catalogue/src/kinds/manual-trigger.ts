import type { KindDescriptor } from '../descriptor';

/** Where a run begins that a person or the API started. */
export const manualTrigger: KindDescriptor = {
  kind: 'manualTrigger',
  label: 'Manual trigger',
  description: 'Starts a run manually or through the API. Outputs the data of the request as one item.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  differs: ['Outputs the `data` of `POST /workflows/:id/execute`.'],
  parameters: [],
};
