import type { KindDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../../../descriptors/build-parameters';
import { STORE_DIFFERS, storeParameters, VECTOR_STORE } from '../vector-store/descriptor-parts';

const KEY = 'vector_store_key';
const KEY_HELP = 'Names the store: nodes of the workflow with the same key share its documents.';

export const vectorStoreInMemory: KindDescriptor = {
  ...VECTOR_STORE,
  kind: 'langchain.vectorStoreInMemory',
  label: 'Simple Vector Store',
  description: 'Stores documents of the workflow, and finds them by their meaning.',
  credentials: [],
  differs: [
    'Documents are stored in the files of the workflow: they outlive restarts, and all runners share them.',
    'A store belongs to its workflow; in n8n, a key is shared by all workflows since version 1.2.',
    'A store has at most 5,000 documents and 64 MB.',
    '`clearStore` clears the store once for each run of the node, and not for each batch.',
    ...STORE_DIFFERS,
  ],
  parameters: storeParameters({
    own: [
      { ...text('memoryKey', 'Memory key', KEY), until: 1.1, help: KEY_HELP },
      {
        name: 'memoryKey',
        label: 'Memory key',
        type: 'resourceLocator',
        default: { __rl: true, mode: 'list', value: KEY },
        since: 1.2,
        help: KEY_HELP,
        modes: [
          { name: 'list', label: 'From list' },
          { name: 'id', label: 'Key' },
        ],
      },
    ],
    alsoOfInsert: [{ ...flag('clearStore', 'Clear store'), help: 'Whether the store is emptied first.' }],
  }),
};
