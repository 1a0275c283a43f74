// Finds retired words, phrases that read as translated, comments that repeat a name, and lines that are too long: in
// the named files, or in all sources, protos, manifests and pages. Pages have one line for each paragraph, so their
// lines may be long. A phrase may stay where its line or the line before has `check-text allows: REASON`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { EMPTY_DOCSTRING, EXCEPTION, PHRASES, UNCHECKED, proseOf } from './phrases.mjs';
import { EXEMPT, RETIRED_WORDS } from './retired-words.mjs';

// A word is found with its first letter small or capital; constants as they are.
const caseOf = ([first, ...rest]) =>
  (/[a-z]/i.test(first) ? `[${first.toLowerCase()}${first.toUpperCase()}]` : first) + rest.join('');
const RULES = RETIRED_WORDS.map(([word, use]) => ({ pattern: new RegExp(caseOf(word)), use }));

const MAX_WIDTH = 120;
const isWrapped = (file) => /\.(?:[cm]?[jt]s|proto)$/.test(file);

const NAMES = '*.ts *.mjs *.cjs *.js *.proto *.md *.yaml *.html *.go *.py *.sh *.conf *Dockerfile'.split(' ');
const matchesAny = (patterns, file) => patterns.some((pattern) => pattern.test(file));
const tracked = () =>
  execFileSync('git', ['ls-files', ...NAMES], { encoding: 'utf8', maxBuffer: 1 << 26 })
    .split('\n')
    // A file that was deleted and is not committed yet is listed anyway.
    .filter((file) => !file.endsWith('.gen.ts') && existsSync(file));

const findingsIn = (file) => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const hasRetiredWords = !matchesAny(EXEMPT, file);
  const hasPhrases = !matchesAny(UNCHECKED, file);
  return lines.flatMap((line, index) => {
    const found = [];
    if (isWrapped(file) && hasRetiredWords && line.length > MAX_WIDTH)
      found.push(`has ${line.length} characters; ${MAX_WIDTH} is the limit`);
    for (const { pattern, use } of hasRetiredWords ? RULES : []) {
      const word = pattern.exec(line)?.[0];
      if (word !== undefined) found.push(`retired word "${word}": use ${use}`);
    }
    if (hasPhrases && !EXCEPTION.test(line) && !EXCEPTION.test(lines[index - 1] ?? '')) {
      const prose = proseOf(file, line);
      for (const [pattern, use] of PHRASES) {
        const phrase = prose.map((text) => pattern.exec(text)?.[0]).find((each) => each !== undefined);
        if (phrase !== undefined) found.push(`"${phrase.trim()}": write ${use}`);
      }
      if (EMPTY_DOCSTRING.test(line)) found.push('this comment repeats the name: delete it');
    }
    return found.map((text) => `${file}:${index + 1} ${text}`);
  });
};

const named = process.argv.slice(2);
const findings = (named.length > 0 ? named : tracked()).flatMap(findingsIn);
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
