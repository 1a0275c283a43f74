/** Repeats a text to a length. */
function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

/** The strings on which functions are slowest, because they look again at what they have read. */
export function worstStrings(length: number): Readonly<Record<string, string>> {
  return {
    quotes: filled('"@', length),
    'combining marks': `a${filled('\u0301\u0323', length - 1)}`,
    'names in a replacement': filled('$<', length),
    'line breaks': filled('\n', length),
    slashes: `${filled('/', length - 1)}a`,
    tabs: `a${filled('\t', length - 2)}b`,
    'one long word': filled('a', length),
    'a long common prefix': `${filled('ab', length - 1)}c`,
    brackets: filled('[', length),
    zeros: `${filled('0', length - 1)}E`,
  };
}
