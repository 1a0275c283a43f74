import type { KindDescriptor } from '../descriptor';

/** Where a run begins that a person or the API started. */
export const manualTrigger: KindDescriptor = {
  kind: 'manualTrigger',
  label: 'Manual trigger',
  description: 'Begins a run that was started by hand or by the API. Gives the data of the call as one item.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  differs: ['The `data` of `POST /workflows/:id/execute` is its item.'],
  parameters: [],
};
