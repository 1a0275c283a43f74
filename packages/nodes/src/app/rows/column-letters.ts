const LETTERS = 26;

/** The letters of a column of a spreadsheet, by its index from 0: A to Z, then AA. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % LETTERS));
  return index < LETTERS ? last : columnLetters(Math.floor(index / LETTERS) - 1) + last;
}
