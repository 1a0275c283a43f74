import type { KindDescriptor } from '../descriptor';

/** Where an error workflow begins. */
export const errorTrigger: KindDescriptor = {
  kind: 'errorTrigger',
  label: 'Error trigger',
  description:
    'Begins a run when an execution fails whose workflow names this one as its error workflow. Gives what is ' +
    'known of the failure.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: [],
};
