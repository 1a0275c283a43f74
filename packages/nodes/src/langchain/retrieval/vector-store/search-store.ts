import { type FoundDocument, type NodeContext, NodeFailure, type Reranker } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { booleanParameter, numberParameter } from '../../../shared/read-parameter';
import { embeddingOf } from './embed-documents';
import type { StoreBackend } from './store-backend';

/** Results of one search. */
const MAX_RESULTS = 1_000;
/** Characters of a query. */
const MAX_QUERY = 100_000;

/**
 * Documents of a store for a query, the closest first; in the order of the reranker if the node uses one.
 * @throws NodeFailure for an empty query, and if there is no embedding
 */
export async function searchStore(
  context: NodeContext,
  backend: StoreBackend,
  itemIndex: number,
  query: string,
  limit: number,
): Promise<readonly FoundDocument[]> {
  const name = context.node.name;
  if (query.trim() === '') throw new NodeFailure(`The query for "${name}" is empty`, { itemIndex });
  if (query.length > MAX_QUERY)
    throw new NodeFailure(`The query for "${name}" has ${query.length} characters; at most ${MAX_QUERY} are possible`, {
      itemIndex,
    });
  if (!(limit >= 1)) throw new NodeFailure(`"Limit" of "${name}" must be at least 1`, { itemIndex });
  const embedding = await embeddingOf(context, itemIndex);
  const reranker = await rerankerOf(context, itemIndex);
  const [vector] = await embedding.embed([query], 'query');
  if (vector === undefined) throw new NodeFailure(`"${name}" got no embedding of the query`, { itemIndex });
  const found = await backend.search(context, itemIndex, { vector, limit: Math.min(MAX_RESULTS, Math.floor(limit)) });
  return reranker === undefined || found.length === 0 ? found : reranker.rerank(query, found);
}

/** The reranker of a node that uses one. @throws NodeFailure if none is attached */
async function rerankerOf(context: NodeContext, itemIndex: number): Promise<Reranker | undefined> {
  if (!booleanParameter(context, 'useReranker', itemIndex, false)) return undefined;
  const [supplied] = await context.attached('ai_reranker', itemIndex);
  if (supplied === undefined)
    throw new NodeFailure(`No reranker is connected to "${context.node.name}"`, {
      itemIndex,
      description: 'Connect a reranker and enable it, or turn off "Rerank results".',
    });
  return supplied.handle;
}

/** The number of documents that the node asks for. */
export const limitOf = (context: NodeContext, itemIndex: number): number =>
  numberParameter(context, 'topK', itemIndex, 4);

/** A document as items and tools have it, with its metadata if the node includes it. */
export function shownDocument(
  context: NodeContext,
  itemIndex: number,
  { pageContent, metadata }: FoundDocument,
): JsonObject {
  return booleanParameter(context, 'includeDocumentMetadata', itemIndex, true)
    ? { pageContent, metadata }
    : { pageContent };
}

/** A document as a model sees it: with its id in the store, unless the node leaves out metadata. */
export function toolDocument(context: NodeContext, itemIndex: number, document: FoundDocument): JsonObject {
  const shown = shownDocument(context, itemIndex, document);
  return document.id === undefined || shown['metadata'] === undefined ? shown : { ...shown, id: document.id };
}
