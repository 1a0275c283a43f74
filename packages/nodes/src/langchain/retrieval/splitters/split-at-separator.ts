import { NodeFailure } from '@weft/engine';
import { MAX_PARTS, type PartSizes, splitText } from '../../shared/split-text';

/**
 * Splits a text at a separator, and joins the pieces with it as far as the size allows. The last pieces of a part
 * begin the next, as far as the overlap allows. A piece longer than the size is a part.
 * @param separator empty to split between characters
 * @throws NodeFailure for more than 10,000 parts
 */
export function splitAtSeparator(text: string, separator: string, sizes: PartSizes): string[] {
  if (separator === '') return splitText(text, sizes, ['']);
  const parts: string[] = [];
  let open: string[] = [];
  let length = 0;
  const flush = (): void => {
    const part = open.join(separator).trim();
    if (part !== '') parts.push(part);
    if (parts.length > MAX_PARTS)
      throw new NodeFailure(`The text has more than ${MAX_PARTS} parts`, { description: 'Use larger chunks.' });
  };
  const lengthWith = (piece: string): number => length + (open.length === 0 ? 0 : separator.length) + piece.length;
  for (const piece of text.split(separator)) {
    if (piece === '') continue;
    if (open.length > 0 && lengthWith(piece) > sizes.size) {
      flush();
      let from = 0;
      while (from < open.length && (length > sizes.overlap || lengthWith(piece) > sizes.size)) {
        length = Math.max(0, length - (open[from]?.length ?? 0) - separator.length);
        from += 1;
      }
      open = open.slice(from);
      if (open.length === 0) length = 0;
    }
    length = lengthWith(piece);
    open.push(piece);
  }
  flush();
  return parts;
}
