/** Characters in which a cut looks for a space, so that it does not divide a word: a secret could be one. */
const SPACE_WITHIN = 512;

/** True for a text that is stored as it is. */
export const isStoredShort = (text: string, max: number): boolean => text.length <= max;

/**
 * A text, or its start and its end with the number of characters between them.
 * @param max characters that are stored
 */
export function storedText(text: string, max: number): string {
  if (isStoredShort(text, max)) return text;
  const half = Math.floor(max / 2);
  const head = text.slice(0, headEnd(text, half));
  const tail = text.slice(tailStart(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** The last space before a place, or the place. */
function headEnd(text: string, at: number): number {
  for (let end = at; end > at - SPACE_WITHIN; end -= 1) if (isSpace(text, end)) return end;
  return whole(text, at);
}

/** The first space from a place on, or the place. */
function tailStart(text: string, at: number): number {
  for (let start = at; start < at + SPACE_WITHIN; start += 1) if (isSpace(text, start)) return start;
  return whole(text, at);
}

const isSpace = (text: string, at: number): boolean => text.charAt(at).trim() === '';

/** A place that does not divide a surrogate pair. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at + 1 : at);
