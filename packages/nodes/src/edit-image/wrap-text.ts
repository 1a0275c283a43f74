/** Breaks lines between words where the next one would not fit into `length` characters any more. */
export const wrapText = (text: string, length: number): string =>
  text
    .split('\n')
    .flatMap((line) => brokenLine(line, length))
    .join('\n');

function brokenLine(line: string, length: number): string[] {
  const broken: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    // A word that is longer than a line stands on a line of its own.
    if (current.length + word.length + 1 > length) {
      broken.push(current.trim());
      current = '';
    }
    current += `${word} `;
  }
  return [...broken, current.trim()];
}
