import { type NodeContext, NodeFailure, type RetrievalDocument } from '@weft/engine';

/** Documents of one insertion. */
const MAX_DOCUMENTS = 5_000;
/** Characters of content and metadata in the insertions of one node run. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Bounds what one node run inserts, before anything is embedded. Many documents may share large metadata. */
export class InsertionSize {
  #characters = 0;

  constructor(private readonly context: Pick<NodeContext, 'node' | 'pause'>) {}

  /** Counts documents. @throws NodeFailure for too many characters */
  async add(documents: readonly RetrievalDocument[]): Promise<void> {
    for (const { pageContent, metadata } of documents) {
      this.#characters += pageContent.length + JSON.stringify(metadata).length;
      if (this.#characters > MAX_CHARACTERS)
        throw new NodeFailure(
          `The documents for "${this.context.node.name}" have more than ${MAX_CHARACTERS} characters with metadata`,
          { description: 'Give them less metadata, or insert fewer items at once.' },
        );
      const pause = this.context.pause();
      if (pause !== undefined) await pause;
    }
  }

  /** @throws NodeFailure for more documents than one insertion may have */
  checkCount(count: number): void {
    if (count > MAX_DOCUMENTS)
      throw new NodeFailure(
        `"${this.context.node.name}" got ${count} documents; at most ${MAX_DOCUMENTS} can be inserted at once`,
        { description: 'Use larger chunks, or insert the items in batches.' },
      );
  }
}
