import { titleCase } from 'title-case';
import { transliterate } from 'transliteration';
import { toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import { readPattern } from '../../regex/pattern';
import { RegexValue } from '../../regex/regex-value';
import { replaceRegex } from '../../regex/replace';
import { splitText } from '../../regex/split';
import type { Run } from '../../runtime/run';
import { typeError } from '../../runtime/thrown';
import { methodTable } from '../method';
import type { MethodBody } from '../method';
import { isString } from '../type-tests';

type TextMethod = MethodBody<string>;

type Mark = readonly [pattern: string, flags: string, rest: string];

/** Emphasis by one to three marks around at least two characters, as n8n reads it. */
const EMPHASIS = ['\\*{3}', '_{3}', '\\*{2}', '_{2}', '\\*', '_'].map((mark) => `${mark}(\\S[^\\n]*?\\S)${mark}`);

/** Marks of Markdown and what remains of them, before and after the headings: the order that n8n follows. */
const BEFORE_HEADINGS: readonly Mark[] = [
  ['^(\\s*)(?:[*+-]|\\d\\.)\\s+', 'gm', '$1'],
  ['\\n={2,}', 'g', '\n'],
  ['~~', 'g', ''],
  ['```[^\\n]*\\n', 'g', ''],
  ['<[\\w\\s|=\'":(),;/.-]+[>|\\\\]', 'g', ''],
  ['^[=-]{2,}\\s*$', 'g', ''],
  ['\\[\\^[^\\]\\n]+\\]', 'g', ''],
  ['!\\[[^\\]\\n]*\\][[(][^\\])\\n]*[\\])]', 'g', ''],
  ['\\[([^\\]\\n]*)\\][[(][^\\])\\n]*[\\])]', 'g', '$1'],
  ['>', 'g', ''],
];
const AFTER_HEADINGS: readonly Mark[] = [
  [EMPHASIS.join('|'), 'g', EMPHASIS.map((_, at) => `$${at + 1}`).join('')],
  ['```([^`\\n]*)```', 'g', '$1'],
  ['`([^\\n]+?)`', 'g', '$1'],
  ['\\n{3,}', 'g', '\n\n'],
];

const compiled = new Map<readonly Mark[], readonly (readonly [RegexValue, string])[]>();

function withoutMarks(run: Run, text: string, marks: readonly Mark[]): string {
  const patterns =
    compiled.get(marks) ??
    marks.map(([pattern, flags, rest]) => [new RegexValue(readPattern(pattern, flags)), rest] as const);
  compiled.set(marks, patterns);
  return patterns.reduce((left, [pattern, rest]) => replaceRegex(run, left, pattern, rest), text);
}

function removeMarkdown(run: Run, text: string): string {
  const plain = withoutMarks(run, text, BEFORE_HEADINGS);
  run.work(plain.length >> 4);
  run.allowText(plain.length);
  return withoutMarks(run, withoutHeadings(plain), AFTER_HEADINGS);
}

/** Takes the `#` off the beginnings of lines, with the blanks behind them and the next `#` that follow their text. */
function withoutHeadings(text: string): string {
  const kept: string[] = [];
  let position = 0;
  for (;;) {
    let start = text.indexOf('#', position);
    while (start > 0 && text[start - 1] !== '\n') start = text.indexOf('#', start + 1);
    if (start < 0) return kept.join('') + text.slice(position);
    kept.push(text.slice(position, start));
    let content = afterMarks(text, start);
    while (content < text.length && (text[content] ?? '').trim() === '') content += 1;
    const end = text.indexOf('#', content);
    kept.push(text.slice(content, end < 0 ? text.length : end));
    position = end < 0 ? text.length : afterMarks(text, end);
  }
}

/** The place behind at most six `#`. */
function afterMarks(text: string, start: number): number {
  let end = start;
  while (end - start < 6 && text[end] === '#') end += 1;
  return end;
}

/** Takes out everything from a `<` to the next `>`, or to the end. */
function removeTags(run: Run, text: string): string {
  run.allowText(text.length);
  const kept: string[] = [];
  let position = 0;
  while (position <= text.length) {
    const start = text.indexOf('<', position);
    kept.push(text.slice(position, start < 0 ? text.length : start));
    const end = start < 0 ? -1 : text.indexOf('>', start);
    if (end < 0) break;
    run.step(1);
    position = end + 1;
  }
  return kept.join('');
}

/** A method that returns a string at most `growth` times as long. */
const rewriting =
  (growth: number, body: (text: string) => string): TextMethod =>
  (run, self) => {
    run.allowText(self.length, self.length * growth);
    const result = body(self);
    run.allowText(result.length, 0);
    return result;
  };

/** One sentence after the other: first letter large, wherever it stands, the others small. */
function sentenceCase(text: string): string {
  return text.replace(/[^.!?]+[.!?]*/g, (sentence) => {
    const start = sentence.search(/\p{L}/u);
    if (start < 0) return sentence;
    return sentence.slice(0, start) + sentence.charAt(start).toUpperCase() + sentence.slice(start + 1).toLowerCase();
  });
}

function snakeCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ -]/g, '_')
    .replace(/[!"#$%&'()*+,./:;<=>?@[\\\]^`{|}~]/g, '');
}

function quote(run: Run, text: string, [mark]: Arguments): string {
  const sign = mark === undefined ? '"' : toText(run, mark);
  if (sign === '') throw typeError('A quote needs a mark');
  run.allowText(text.length * (2 + sign.length) + 2 * sign.length);
  const escaped = text.replaceAll('\\', '\\\\');
  return sign + splitText(run, escaped, sign, Infinity).join(`\\${sign}`) + sign;
}

/** Methods that expressions add to strings and that return a string. */
export const stringTextExtensions = methodTable('String', isString, {
  length: (_run, self) => self.length,
  quote,
  removeMarkdown,
  removeTags,
  replaceSpecialChars: rewriting(8, (text) => transliterate(text, { unknown: '?' })),
  toSentenceCase: rewriting(1, sentenceCase),
  toSnakeCase: rewriting(1, snakeCase),
  toTitleCase: rewriting(1, titleCase),
});
