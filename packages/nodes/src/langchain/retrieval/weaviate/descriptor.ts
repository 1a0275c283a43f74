import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../../descriptors/build-parameters';
import { withHelp } from '../../../descriptors/with-help';
import { STORE_DIFFERS, storeParameters, storeResource, VECTOR_STORE } from '../vector-store/descriptor-parts';

const number = (name: string, label: string, initial?: number): ParameterDescriptor => ({
  name,
  label,
  type: 'number',
  ...(initial === undefined ? {} : { default: initial }),
});

const SHARED: readonly ParameterDescriptor[] = withHelp(
  {
    tenant: 'Part of a collection that was created for tenants.',
    textKey: 'Property with the text.',
    skip_init_checks: 'Has no effect: there are no checks.',
    timeout_init: 'Has no effect.',
    timeout_insert: 'Has no effect: a request has 60 s.',
    timeout_query: 'Has no effect: a request has 60 s.',
    proxy_grpc: 'Has no effect: gRPC is not used.',
  },
  [
    text('tenant', 'Tenant name'),
    text('textKey', 'Text key', 'text'),
    flag('skip_init_checks', 'Skip init checks'),
    number('timeout_init', 'Init timeout', 2),
    number('timeout_insert', 'Insert timeout', 90),
    number('timeout_query', 'Query timeout', 30),
    text('proxy_grpc', 'gRPC proxy'),
  ],
);

const SEARCH: readonly ParameterDescriptor[] = withHelp(
  {
    searchFilterJson: 'A condition with `path`, `operator` and a value, or a list of them in `AND` or `OR`.',
    metadataKeys: 'Properties to get, separated by commas; all if it is empty.',
    hybridQuery: 'Text for a search by words, which is combined with the search by vectors.',
    hybridExplainScore: 'Whether the metadata says how the score was made.',
    fusionType: 'How the scores of both searches are combined.',
    autoCutLimit: 'Number of groups of similar scores to get.',
    alpha: 'Weight of the search by vectors, from 0 to 1.',
    queryProperties: 'Properties of the search by words, separated by commas, such as `title^2`.',
    maxVectorDistance: 'Distance that vectors may have.',
  },
  [
    { name: 'searchFilterJson', label: 'Search filters', type: 'json', default: '', editor: 'json' },
    text('metadataKeys', 'Metadata keys'),
    text('hybridQuery', 'Hybrid: query text'),
    flag('hybridExplainScore', 'Hybrid: explain score'),
    {
      name: 'fusionType',
      label: 'Hybrid: fusion type',
      type: 'options',
      default: 'RelativeScore',
      options: [choice('RelativeScore', 'Relative score'), choice('Ranked', 'Ranked')],
    },
    number('autoCutLimit', 'Hybrid: auto cut limit'),
    number('alpha', 'Hybrid: alpha', 0.5),
    text('queryProperties', 'Hybrid: query properties'),
    number('maxVectorDistance', 'Hybrid: max vector distance'),
  ],
);

export const vectorStoreWeaviate: KindDescriptor = {
  ...VECTOR_STORE,
  kind: 'langchain.vectorStoreWeaviate',
  label: 'Weaviate Vector Store',
  description: 'Stores documents in a collection of Weaviate, and finds them by their meaning.',
  credentials: [{ type: 'weaviateApi', required: true }],
  differs: [
    ...STORE_DIFFERS,
    'Requests use REST and GraphQL in place of gRPC.',
    '`clearStore` clears the collection once for each run of the node, and not for each batch.',
    'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.',
  ],
  parameters: storeParameters({
    own: [storeResource('weaviateCollection', 'Collection', 'An insertion creates it if it does not exist.')],
    ofInsert: [
      ...SHARED,
      { ...flag('clearStore', 'Clear data'), help: 'Whether the collection, or the tenant, is deleted first.' },
    ],
    ofSearch: [...SEARCH, ...SHARED],
  }),
};
