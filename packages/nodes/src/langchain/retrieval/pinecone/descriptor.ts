import type { KindDescriptor } from '@weft/node-catalogue';
import { flag, text } from '../../../descriptors/build-parameters';
import {
  METADATA_FILTER,
  STORE_DIFFERS,
  storeParameters,
  storeResource,
  VECTOR_STORE,
} from '../vector-store/descriptor-parts';

const NAMESPACE = {
  ...text('pineconeNamespace', 'Namespace'),
  help: 'Part of the index. The one without a name if it is empty.',
};

export const vectorStorePinecone: KindDescriptor = {
  ...VECTOR_STORE,
  kind: 'langchain.vectorStorePinecone',
  label: 'Pinecone Vector Store',
  description: 'Stores documents in an index of Pinecone, and finds them by their meaning.',
  credentials: [{ type: 'pineconeApi', required: true }],
  differs: [
    ...STORE_DIFFERS,
    '`clearNamespace` clears the namespace once for each run of the node, and not for each batch.',
    'Documents whose score is 0 are found too.',
  ],
  parameters: storeParameters({
    updates: true,
    own: [storeResource('pineconeIndex', 'Index', 'Name of an index that exists.')],
    ofInsert: [
      { ...flag('clearNamespace', 'Clear namespace'), help: 'Whether a namespace with a name is emptied first.' },
      NAMESPACE,
    ],
    ofSearch: [NAMESPACE, METADATA_FILTER],
  }),
};
