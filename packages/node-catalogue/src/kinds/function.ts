import type { KindDescriptor } from '../descriptor';

/** The older form of Code: once for all items. */
export const functionKind: KindDescriptor = {
  kind: 'function',
  label: 'Function',
  description: 'Runs JavaScript of your own once for all items. Code is the newer form.',
  versions: [1, 2],
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
      help: 'Return a list of items. The items are in `items`.',
    },
  ],
};
