/** The table if the node names none. */
export const DEFAULT_TABLE = 'n8n_vectors';
/** Columns as n8n creates them. */
export const COLUMNS = { id: 'id', vector: 'embedding', content: 'text', metadata: 'metadata' };
export const COLLECTION = { name: 'n8n', table: 'n8n_vector_collections' };
