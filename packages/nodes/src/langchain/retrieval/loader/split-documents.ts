import { NodeFailure, type RetrievalDocument, type TextSplitter } from '@weft/engine';
import { objectField } from '@weft/node-catalogue';

/** Documents of one item. */
const MAX_DOCUMENTS = 10_000;

/**
 * The parts of all documents, each with the facts of its document and the lines that it has there.
 * @throws NodeFailure for too many
 */
export async function splitDocuments(
  documents: readonly RetrievalDocument[],
  splitter: Pick<TextSplitter, 'split'>,
): Promise<RetrievalDocument[]> {
  const parts: RetrievalDocument[] = [];
  for (const { pageContent, metadata } of documents) {
    const place = new LineFinder(pageContent);
    for (const part of await splitter.split(pageContent)) {
      if (parts.length >= MAX_DOCUMENTS)
        throw new NodeFailure(`An item has more than ${MAX_DOCUMENTS} documents`, {
          description: 'Use larger chunks.',
        });
      const loc = { ...objectField(metadata, 'loc'), lines: place.linesOf(part) };
      parts.push({ pageContent: part, metadata: { ...metadata, loc } });
    }
  }
  return parts;
}

/** Finds the lines of parts that follow each other in a text. Reads the text once. */
class LineFinder {
  #at = -1;
  #counted = 0;
  #line = 1;

  constructor(private readonly text: string) {}

  /** Numbers of the first and the last line of a part, from 1. */
  linesOf(part: string): { from: number; to: number } {
    const found = this.text.indexOf(part, this.#at + 1);
    if (found >= 0) {
      this.#at = found;
      this.#line += linesIn(this.text, this.#counted, found);
      this.#counted = found;
    }
    return { from: this.#line, to: this.#line + linesIn(part, 0, part.length) };
  }
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
