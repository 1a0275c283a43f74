import type { KindDescriptor } from '../descriptor';

/** The older form of Code: once for each item. */
export const functionItem: KindDescriptor = {
  kind: 'functionItem',
  label: 'Function item',
  description: 'Runs JavaScript of your own once for each item. Code is the newer form.',
  versions: [1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  credentials: [],
  differs: ['The code runs as that of Code does: without network, files and environment.'],
  parameters: [
    {
      name: 'functionCode',
      label: 'JavaScript',
      type: 'string',
      help: 'Return an object. The fields of the item are in `item`.',
    },
  ],
};
