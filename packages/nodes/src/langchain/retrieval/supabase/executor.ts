import { type NodeContext, NodeFailure } from '@weft/engine';
import { numberField, objectField, textField } from '@weft/node-catalogue';
import { textParameter } from '../../../shared/read-parameter';
import { inBatches, vectorJson } from '../vector-store/batches';
import type { EmbeddedDocument } from '../vector-store/store-backend';
import { storeExecutor } from '../vector-store/store-executor';
import { metadataFilter, resourceName } from '../vector-store/store-parameters';
import { askStore, objectsIn, storeService } from '../vector-store/store-service';

const SUPABASE = storeService({ credentialType: 'supabaseApi', addressField: 'host', address: '' });
const BOUNDS = { documents: 500, characters: 4_000_000 };
const HEADERS = [['Prefer', 'resolution=merge-duplicates,return=minimal']] as const;
const DEFAULT_QUERY = 'match_documents';

/** A document whose row may have an id. */
type Row = Pick<EmbeddedDocument, 'pageContent' | 'metadata' | 'vector'> & { readonly id?: string };

/** Stores documents in a table of Supabase. */
export const vectorStoreSupabase = storeExecutor('vectorStoreSupabase', {
  // The type of the column `id` is unknown here: the table gives new rows their ids.
  insert: (context, itemIndex, documents) =>
    upsert(
      context,
      itemIndex,
      documents.map(({ pageContent, metadata, vector }) => ({ pageContent, metadata, vector })),
    ),
  update: (context, itemIndex, id, document) => upsert(context, itemIndex, [{ ...document, id }]),
  search: async (context, itemIndex, { vector, limit }) => {
    const query = textParameter(context, 'options.queryName', itemIndex, DEFAULT_QUERY) || DEFAULT_QUERY;
    const rows = await askStore(context, SUPABASE, {
      path: `/rest/v1/rpc/${encodeURIComponent(query)}`,
      body: {
        filter: metadataFilter(context, itemIndex) ?? {},
        match_count: limit,
        query_embedding: [...vector],
      },
      itemIndex,
      missing: `Function ${query} not found, or it has other arguments`,
    });
    if (!Array.isArray(rows))
      throw new NodeFailure(`The function ${query} of "${context.node.name}" returns no rows`, {
        itemIndex,
        description: 'It must return a table with the columns content, metadata and similarity.',
      });
    return objectsIn(rows).map((row) => ({
      pageContent: textField(row, 'content') ?? '',
      metadata: objectField(row, 'metadata') ?? {},
      score: numberField(row, 'similarity') ?? 0,
    }));
  },
});

async function upsert(context: NodeContext, itemIndex: number, rows: readonly Row[]): Promise<void> {
  const table = resourceName(context, 'tableName', itemIndex, 'Table');
  const columns = [...(rows[0]?.id === undefined ? [] : ['id']), 'content', 'embedding', 'metadata'];
  const query = columns.map((name) => encodeURIComponent(`"${name}"`)).join('%2C');
  await inBatches(context, rows, BOUNDS, rowOf, (batch) =>
    askStore(context, SUPABASE, {
      path: `/rest/v1/${encodeURIComponent(table)}?columns=${query}`,
      headers: HEADERS,
      body: `[${batch.join(',')}]`,
      itemIndex,
      missing: `Table ${table} not found`,
    }),
  );
}

function rowOf({ id, pageContent, vector, metadata }: Row): string {
  const first = id === undefined ? '' : `"id":${JSON.stringify(id)},`;
  const [content, facts] = [JSON.stringify(pageContent), JSON.stringify(metadata)];
  return `{${first}"content":${content},"embedding":${vectorJson(vector)},"metadata":${facts}}`;
}
