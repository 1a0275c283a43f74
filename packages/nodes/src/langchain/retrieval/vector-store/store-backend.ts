import type { FoundDocument, NodeContext, RetrievalDocument } from '@weft/engine';

/** A document with its vector. */
export interface EmbeddedDocument extends RetrievalDocument {
  readonly vector: Float32Array;
}

/** Operations of one kind of store. Parameters are read for an item. */
export interface StoreBackend {
  /**
   * Stores documents, all with vectors of one length.
   * @throws NodeFailure for vectors of another length than the store has, and for too many documents
   */
  insert(context: NodeContext, itemIndex: number, documents: readonly EmbeddedDocument[]): Promise<void>;
  /** The documents with the closest vectors, the closest first. @throws NodeFailure for a vector of another length */
  search(
    context: NodeContext,
    itemIndex: number,
    vector: Float32Array,
    limit: number,
  ): Promise<readonly FoundDocument[]>;
}
