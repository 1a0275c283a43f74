import type { NodeContext } from '@weft/engine';
import type { EmbeddedDocument } from './store-backend';

/** Bounds of one request. */
export interface BatchBounds {
  readonly documents: number;
  /** Characters of documents. A document that has more alone is sent alone. */
  readonly characters: number;
}

/**
 * Sends documents in requests, one after the other. Yields to other runs while it writes them, since vectors are long.
 * @param write a document as it is sent, and its characters
 */
export async function inBatches<Document, Written extends { readonly length: number }>(
  context: Pick<NodeContext, 'pause'>,
  documents: readonly Document[],
  bounds: BatchBounds,
  write: (document: Document) => Written,
  send: (batch: readonly Written[]) => Promise<unknown>,
): Promise<void> {
  let open: Written[] = [];
  let size = 0;
  for (const document of documents) {
    const written = write(document);
    if (open.length > 0 && (open.length >= bounds.documents || size + written.length > bounds.characters)) {
      await send(open);
      [open, size] = [[], 0];
    }
    open.push(written);
    size += written.length;
    const pause = context.pause();
    if (pause !== undefined) await pause;
  }
  if (open.length > 0) await send(open);
}

/** A vector as JSON. */
export const vectorJson = (vector: EmbeddedDocument['vector']): string => `[${vector.join(',')}]`;
