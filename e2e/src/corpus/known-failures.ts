import { readFileSync } from 'node:fs';
import { compatibilityPage } from './places';

/**
 * The cases that docs/compatibility.md lists as failing, by the heading above them.
 * @param heading text of a third-level heading; the table below it has the case, in backticks, in its first column.
 * @throws Error if the page has no such heading.
 */
export const knownFailures = (heading: string): readonly string[] => {
  const lines = readFileSync(compatibilityPage, 'utf8').split('\n');
  const start = lines.indexOf(`### ${heading}`);
  if (start < 0) throw new Error(`docs/compatibility.md has no heading "${heading}".`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('#'));
  return rest.slice(0, end < 0 ? rest.length : end).flatMap((line) => /^\| `([^`]+)` \|/.exec(line)?.[1] ?? []);
};
