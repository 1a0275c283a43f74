import type { KindDescriptor } from '@weft/node-catalogue';
import { text } from '../../../descriptors/build-parameters';
import {
  METADATA_FILTER,
  STORE_DIFFERS,
  storeParameters,
  storeResource,
  VECTOR_STORE,
} from '../vector-store/descriptor-parts';

const QUERY_NAME = {
  ...text('queryName', 'Query name', 'match_documents'),
  help: 'Function of the database that finds documents, with `query_embedding`, `match_count` and `filter`.',
};

export const vectorStoreSupabase: KindDescriptor = {
  ...VECTOR_STORE,
  kind: 'langchain.vectorStoreSupabase',
  label: 'Supabase Vector Store',
  description: 'Stores documents in a table of Supabase, and finds them by their meaning.',
  credentials: [{ type: 'supabaseApi', required: true }],
  differs: [
    ...STORE_DIFFERS,
    'The table gives rows their ids: rows may be stored twice if a runner fails during an insertion.',
  ],
  parameters: storeParameters({
    updates: true,
    own: [storeResource('tableName', 'Table', 'Name of a table with the columns content, metadata and embedding.')],
    ofInsert: [QUERY_NAME],
    ofSearch: [QUERY_NAME, METADATA_FILTER],
    ofUpdate: [QUERY_NAME],
  }),
};
