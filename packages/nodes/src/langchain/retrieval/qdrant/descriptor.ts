import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { text } from '../../../descriptors/build-parameters';
import { STORE_DIFFERS, storeParameters, storeResource, VECTOR_STORE } from '../vector-store/descriptor-parts';

const PAYLOAD_KEYS: readonly ParameterDescriptor[] = [
  { ...text('contentPayloadKey', 'Content payload key', 'content'), help: 'Field of a point with the text.' },
  { ...text('metadataPayloadKey', 'Metadata payload key', 'metadata'), help: 'Field of a point with the metadata.' },
];
const jsonOption = (name: string, label: string, help: string): ParameterDescriptor => ({
  name,
  label,
  type: 'json',
  default: '',
  editor: 'json',
  help,
});

export const vectorStoreQdrant: KindDescriptor = {
  ...VECTOR_STORE,
  kind: 'langchain.vectorStoreQdrant',
  label: 'Qdrant Vector Store',
  description: 'Stores documents in a collection of Qdrant, and finds them by their meaning.',
  credentials: [{ type: 'qdrantApi', required: true }],
  differs: [
    ...STORE_DIFFERS,
    'A search in a collection that does not exist fails, and does not create it.',
    'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.',
  ],
  parameters: storeParameters({
    own: [storeResource('qdrantCollection', 'Collection', 'An insertion creates it if it does not exist.')],
    ofInsert: [
      jsonOption('collectionConfig', 'Collection config', 'Body of the request that creates the collection.'),
      ...PAYLOAD_KEYS,
    ],
    ofSearch: [
      jsonOption('searchFilterJson', 'Search filter', 'Conditions that points must fulfil, as Qdrant defines them.'),
      ...PAYLOAD_KEYS,
    ],
  }),
};
