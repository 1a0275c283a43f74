import type { KindDescriptor } from '@weft/node-catalogue';

/** The older form of Code: once for all items. */
export const functionKind: KindDescriptor = {
  kind: 'function',
  label: 'Function',
  description: 'Runs custom JavaScript once for all items. Superseded by Code.',
  versions: [1, 2],
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
      default: 'for (const item of items) item.json.myNewField = 1;\nreturn items;',
      help: 'Return an array of items. The input items are in `items`.',
      editor: 'javascript',
    },
  ],
};

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
      default: 'item.myNewField = 1;\nreturn item;',
      help: 'Return an object. The fields of the input item are in `item`.',
      editor: 'javascript',
    },
  ],
};
