import { NodeFailure } from '@weft/engine';

/** Sizes of the parts of a text, in characters. */
export interface PartSizes {
  readonly size: number;
  /** Characters that a part repeats of the previous part. Less than `size`. */
  readonly overlap: number;
}

/** Places where a text is split, the best first. The last splits anywhere. */
const SEPARATORS: readonly string[] = ['\n\n', '\n', ' ', ''];

/** Maximum number of parts of a text. */
export const MAX_PARTS = 10_000;

/**
 * Splits a text into parts: between paragraphs if they are short enough, else between lines, words or characters.
 * Parts begin with the separator that was before them, and are trimmed.
 * @param separators places where the text is split, the best first, and `''` as the last
 * @throws NodeFailure for more than 10,000 parts
 */
export function splitText(text: string, sizes: PartSizes, separators = SEPARATORS): string[] {
  const parts: string[] = [];
  split(text, separators, sizes, (part) => {
    if (parts.length >= MAX_PARTS)
      throw new NodeFailure(`The text has more than ${MAX_PARTS} parts`, {
        description: 'Use larger parts, or a smaller overlap.',
      });
    parts.push(part);
  });
  return parts;
}

type Add = (part: string) => void;

function split(text: string, separators: readonly string[], sizes: PartSizes, add: Add): void {
  const at = separators.findIndex((one) => one === '' || text.includes(one));
  const separator = separators[at] ?? '';
  if (separator === '') return cut(text, sizes, add);
  const rest = separators.slice(at + 1);
  let short: string[] = [];
  for (const piece of piecesOf(text, separator)) {
    if (piece.length < sizes.size) {
      short.push(piece);
      continue;
    }
    merge(short, sizes, add);
    short = [];
    split(piece, rest, sizes, add);
  }
  merge(short, sizes, add);
}

/** The text from each separator to the next one, also where separators overlap. */
function piecesOf(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(separator, 1); at !== -1; at = text.indexOf(separator, at + 1)) {
    pieces.push(text.slice(from, at));
    from = at;
  }
  return [...pieces, text.slice(from)].filter((piece) => piece !== '');
}

/** Cuts between any two characters, but not in the middle of a surrogate pair. */
function cut(text: string, { size, overlap }: PartSizes, add: Add): void {
  const isHalf = (at: number): boolean => /^[\udc00-\udfff]$/.test(text.charAt(at));
  const addTrimmed = (from: number, end?: number): void => {
    const part = text.slice(from, end).trim();
    if (part !== '') add(part);
  };
  let from = 0;
  while (text.length - from > size) {
    const last = from + size;
    const end = isHalf(last) ? (last - 1 > from ? last - 1 : last + 1) : last;
    addTrimmed(from, end);
    const next = Math.max(from + 1, end - overlap);
    from = isHalf(next) ? next + 1 : next;
  }
  addTrimmed(from);
}

/** Joins pieces as far as the size allows. The last ones of a part begin the next, as far as the overlap allows. */
function merge(pieces: readonly string[], { size, overlap }: PartSizes, add: Add): void {
  let from = 0;
  let length = 0;
  const addUpTo = (end: number): void => {
    const part = pieces.slice(from, end).join('').trim();
    if (part !== '') add(part);
  };
  pieces.forEach((piece, index) => {
    if (length + piece.length > size && index > from) {
      addUpTo(index);
      while (length > overlap || (length + piece.length > size && length > 0)) {
        length -= pieces[from]?.length ?? 0;
        from += 1;
      }
    }
    length += piece.length;
  });
  addUpTo(pieces.length);
}
