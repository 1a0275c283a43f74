/**
 * The place in a JSON string literal, its quotes included, of each character of the string that it stands for: one
 * entry more than the string has characters, the last for its end.
 */
export function literalOffsets(literal: string): number[] {
  const offsets: number[] = [];
  let position = 1;
  while (position < literal.length - 1) {
    offsets.push(position);
    if (literal[position] !== '\\') position += 1;
    else position += literal[position + 1] === 'u' ? 6 : 2;
  }
  offsets.push(literal.length - 1);
  return offsets;
}

/** Text as it is written within a JSON string literal. */
export function escapeForLiteral(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
