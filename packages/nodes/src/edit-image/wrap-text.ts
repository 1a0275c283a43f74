/** Breaks lines between words so that they have at most `length` characters. */
export const wrapText = (text: string, length: number): string =>
  text
    .split('\n')
    .flatMap((line) => brokenLine(line, length))
    .join('\n');

function brokenLine(line: string, length: number): string[] {
  const broken: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    // A word longer than a line gets a separate line.
    if (current.length + word.length + 1 > length) {
      broken.push(current.trim());
      current = '';
    }
    current += `${word} `;
  }
  return [...broken, current.trim()];
}
