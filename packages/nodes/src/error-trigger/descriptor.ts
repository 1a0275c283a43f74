import type { KindDescriptor } from '@weft/node-catalogue';

/** Starts an error workflow. */
export const errorTrigger: KindDescriptor = {
  kind: 'errorTrigger',
  label: 'Error trigger',
  description:
    'Starts a run when an execution fails whose workflow has this one as its error workflow. Outputs the ' +
    'details of the error.',
  versions: [1],
  groups: ['trigger'],
  isTrigger: true,
  inputs: [],
  outputs: ['main'],
  credentials: [],
  parameters: [],
};
