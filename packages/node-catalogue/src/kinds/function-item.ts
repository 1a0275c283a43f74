import type { KindDescriptor } from '../descriptor';

/** The older form of Code: once for each item. */
export const functionItem: KindDescriptor = {
  kind: 'functionItem',
  label: 'Function item',
  description: 'Runs custom JavaScript once for each item. Superseded by Code.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['Runs like the Code node, without access to network, files and environment.'],
  parameters: [
    {
      name: 'functionCode',
      label: 'JavaScript',
      type: 'string',
      help: 'Return an object. The fields of the input item are in `item`.',
    },
  ],
};
