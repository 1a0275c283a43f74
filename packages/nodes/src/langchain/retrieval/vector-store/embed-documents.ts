import { type EmbeddingModel, type NodeContext, NodeFailure, type RetrievalDocument } from '@weft/engine';
import type { EmbeddedDocument } from './store-backend';

/** A document that has its id before it has a vector. */
export type IdentifiedDocument = RetrievalDocument & Pick<EmbeddedDocument, 'id'>;

/** The embedding model of a store. @throws NodeFailure if none is attached, or it is disabled */
export async function embeddingOf(context: NodeContext, itemIndex: number): Promise<EmbeddingModel> {
  const [supplied] = await context.attached('ai_embedding', itemIndex);
  if (supplied === undefined)
    throw new NodeFailure(`No embedding is connected to "${context.node.name}"`, {
      description: 'Connect an embedding node, and enable it.',
    });
  return supplied.handle;
}

/** The documents of an item. @throws NodeFailure if no loader is attached */
export async function documentsOf(context: NodeContext, itemIndex: number): Promise<readonly RetrievalDocument[]> {
  const [supplied] = await context.attached('ai_document', itemIndex);
  if (supplied === undefined)
    throw new NodeFailure(`No document loader is connected to "${context.node.name}"`, {
      description: 'Connect a document loader, and enable it.',
    });
  return supplied.handle.load();
}

/** Documents with their vectors. */
export async function embedDocuments<Document extends RetrievalDocument>(
  context: NodeContext,
  itemIndex: number,
  documents: readonly Document[],
): Promise<(Document & Pick<EmbeddedDocument, 'vector'>)[]> {
  if (documents.length === 0) return [];
  const embedding = await embeddingOf(context, itemIndex);
  const vectors = await embedding.embed(
    documents.map(({ pageContent }) => pageContent),
    'document',
  );
  return documents.flatMap((document, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ ...document, vector }];
  });
}
