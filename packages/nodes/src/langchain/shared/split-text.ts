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
  let from = 0;
  let begin = 0;
  let short: number[] = [];
  for (const end of endsOfPieces(text, separator)) {
    if (end - from < sizes.size) short.push(end);
    else {
      merge(text, begin, short, sizes, add);
      split(text.slice(from, end), rest, sizes, add);
      [begin, short] = [end, []];
    }
    from = end;
  }
  merge(text, begin, short, sizes, add);
}

/** Where the pieces of a text end: a piece begins with its separator, also where separators overlap. */
function endsOfPieces(text: string, separator: string): number[] {
  const ends: number[] = [];
  for (let at = text.indexOf(separator, 1); at !== -1; at = text.indexOf(separator, at + 1)) ends.push(at);
  ends.push(text.length);
  return ends;
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

/**
 * Joins pieces as far as the size allows. The last ones of a part begin the next, as far as the overlap allows.
 * @param from where the first piece begins
 * @param ends where the pieces end; one follows the other
 */
function merge(text: string, from: number, ends: readonly number[], { size, overlap }: PartSizes, add: Add): void {
  let begin = from;
  let last = from;
  let first = 0;
  const addPart = (): void => {
    const part = text.slice(begin, last).trim();
    if (part !== '') add(part);
  };
  for (const end of ends) {
    const length = end - last;
    if (last > begin && last - begin + length > size) {
      addPart();
      while (last - begin > overlap || (last > begin && last - begin + length > size)) {
        begin = ends[first] ?? last;
        first += 1;
      }
    }
    last = end;
  }
  addPart();
}
