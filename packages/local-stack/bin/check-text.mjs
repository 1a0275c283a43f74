// Finds retired words and lines that are too long in the files that are named, or in all sources, protos and pages of
// the repository. Pages have one line for each paragraph, so their lines may be long.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { EXEMPT, RETIRED_WORDS } from './retired-words.mjs';

// A word is found with its first letter small or capital; constants as they are.
const caseOf = ([first, ...rest]) =>
  (/[a-z]/i.test(first) ? `[${first.toLowerCase()}${first.toUpperCase()}]` : first) + rest.join('');
const RULES = RETIRED_WORDS.map(([word, use]) => ({ pattern: new RegExp(caseOf(word)), use }));

const MAX_WIDTH = 120;
const isPage = (file) => file.endsWith('.md');

const named = process.argv.slice(2);
const tracked = () =>
  execFileSync('git', ['ls-files', '*.ts', '*.mjs', '*.proto', '*.md'], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    // A file that was deleted and is not committed yet is listed anyway.
    .filter((file) => existsSync(file) && !EXEMPT.some((pattern) => pattern.test(file)));

let count = 0;
for (const file of named.length > 0 ? named : tracked()) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.length > MAX_WIDTH && !isPage(file)) {
      count += 1;
      process.stderr.write(`${file}:${index + 1} has ${line.length} characters; ${MAX_WIDTH} is the limit\n`);
    }
    for (const { pattern, use } of RULES) {
      const found = pattern.exec(line);
      if (found === null) continue;
      count += 1;
      process.stderr.write(`${file}:${index + 1} retired word "${found[0]}": use ${use}\n`);
    }
  }
}
process.exitCode = count === 0 ? 0 : 1;
