import type { FoundDocument, NodeContext, RetrievalDocument } from '@weft/engine';

/** A document with its vector. */
export interface EmbeddedDocument extends RetrievalDocument {
  /** UUID. A repeated run of the node has the same ids, so that stores can replace what they have. */
  readonly id: string;
  readonly vector: Float32Array;
}

/** A search for the documents closest to a vector. */
export interface StoreSearch {
  readonly vector: Float32Array;
  /** From 1 to 1,000. */
  readonly limit: number;
}

/** Operations of one kind of store. Parameters are read for an item. */
export interface StoreBackend {
  /**
   * Stores documents, all with vectors of one length.
   * @throws NodeFailure for vectors of another length than the store has, and for too many documents
   */
  insert(context: NodeContext, itemIndex: number, documents: readonly EmbeddedDocument[]): Promise<void>;
  /** The documents with the closest vectors, the closest first. @throws NodeFailure for a vector of another length */
  search(context: NodeContext, itemIndex: number, search: StoreSearch): Promise<readonly FoundDocument[]>;
  /**
   * Replaces the document with an id, or stores it with that id. Absent if the store has no such operation.
   * @throws NodeFailure as `insert` does
   */
  readonly update?: (
    context: NodeContext,
    itemIndex: number,
    id: string,
    document: Omit<EmbeddedDocument, 'id'>,
  ) => Promise<void>;
}
