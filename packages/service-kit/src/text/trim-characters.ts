/**
 * The text without the given characters at its end. Unlike `replace(/x+$/, '')`, which starts again at each `x` of a
 * text that does not end with one, this reads only what it removes.
 */
export const withoutTrailing = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return end === text.length ? text : text.slice(0, end);
};

/** The text without the given characters at its beginning. */
export const withoutLeading = (text: string, characters: string): string => {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return start === 0 ? text : text.slice(start);
};

/** The text without the given characters at both ends. */
export const withoutEnds = (text: string, characters: string): string =>
  withoutLeading(withoutTrailing(text, characters), characters);

/** The text without line breaks at its end. */
export const withoutTrailingBreaks = (text: string): string => {
  let end = text.length;
  while (text.charAt(end - 1) === '\n') end -= text.charAt(end - 2) === '\r' ? 2 : 1;
  return end === text.length ? text : text.slice(0, end);
};
