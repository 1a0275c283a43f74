import { titleCase } from 'title-case';
import { transliterate } from 'transliteration';
import { toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/function-value';
import { readPattern } from '../../regex/pattern';
import { RegexValue } from '../../regex/regex-value';
import { replaceRegex } from '../../regex/replace';
import type { Run } from '../../runtime/run';
import { methodTable } from '../method';
import type { MethodBody } from '../method';
import { isString } from '../type-tests';

type TextMethod = MethodBody<string>;

/** Marks of Markdown and what remains of them, in the order in which they are removed. */
const MARKDOWN: readonly (readonly [pattern: string, flags: string, rest: string])[] = [
  ['^[ \\t]*(?:-{3,}|\\*{3,}|_{3,})[ \\t]*$', 'gm', ''],
  ['^[ \\t]*(?:[*+-]|\\d{1,9}\\.)[ \\t]+', 'gm', ''],
  ['^[ \\t]{0,3}#{1,6}[ \\t]+', 'gm', ''],
  ['^[ \\t]{0,3}>[ \\t]?', 'gm', ''],
  ['^[ \\t]*```[^\\n]{0,200}$', 'gm', ''],
  ['!\\[([^\\]\\n]{0,500})\\]\\([^)\\n]{0,1000}\\)', 'g', '$1'],
  ['\\[([^\\]\\n]{0,500})\\]\\([^)\\n]{0,1000}\\)', 'g', '$1'],
  ['(?:\\*\\*|__)([^*_\\n]{1,1000})(?:\\*\\*|__)', 'g', '$1'],
  ['(?:\\*|\\b_)([^*_\\n]{1,1000})(?:\\*|_\\b)', 'g', '$1'],
  ['~~([^~\\n]{1,1000})~~', 'g', '$1'],
  ['`{1,3}([^`\\n]{1,1000})`{1,3}', 'g', '$1'],
];

let markdownPatterns: readonly (readonly [RegexValue, string])[] | undefined;

function removeMarkdown(run: Run, text: string): string {
  markdownPatterns ??= MARKDOWN.map(
    ([pattern, flags, rest]) => [new RegexValue(readPattern(pattern, flags)), rest] as const,
  );
  return markdownPatterns.reduce(
    (left, [pattern, rest]) => replaceRegex(run, left, pattern, rest),
    removeTags(run, text),
  );
}

/** Takes out everything from a `<` to the next `>`, or to the end. */
function removeTags(run: Run, text: string): string {
  run.work(text.length >> 4);
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

/** A method that returns a string at most `growth` times as long, with so many steps for each character. */
const rewriting =
  (growth: number, cost: number, body: (text: string) => string): TextMethod =>
  (run, self) => {
    run.work(Math.ceil(self.length * cost));
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
  run.allowText(text.length * (2 + sign.length) + 2 * sign.length);
  const escaped = text.replaceAll('\\', '\\\\');
  return sign + (sign === '' ? escaped : escaped.replaceAll(sign, () => `\\${sign}`)) + sign;
}

/** Methods that expressions add to texts, that return text again. */
export const stringTextExtensions = methodTable('String', isString, {
  length: (_run, self) => self.length,
  quote,
  removeMarkdown,
  removeTags,
  replaceSpecialChars: rewriting(8, 1, (text) => transliterate(text, { unknown: '?' })),
  toSentenceCase: rewriting(1, 0.25, sentenceCase),
  toSnakeCase: rewriting(1, 1, snakeCase),
  toTitleCase: rewriting(1, 2, titleCase),
});
