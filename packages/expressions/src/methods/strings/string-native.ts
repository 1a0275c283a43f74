import type { Arguments } from '../../runtime/values/function-value';
import { toInteger, toText } from '../../runtime/convert';
import { findLastText, findText } from '../../runtime/find-text';
import { countMarks } from '../../runtime/marks';
import type { Run } from '../../runtime/run';
import { rangeError, typeError } from '../../runtime/thrown';
import { RegexValue } from '../../regex/regex-value';
import { localesOf } from '../intl-options';
import { methodTable } from '../method';
import type { MethodBody } from '../method';
import { isString } from '../type-tests';

type StringMethod = MethodBody<string>;

/** A method that looks through the whole text for another one, which may not be a regular expression. */
const searching =
  (body: (run: Run, self: string, sought: string, from: number | undefined) => unknown): StringMethod =>
  (run, self, [sought, from]) => {
    if (sought instanceof RegexValue) throw typeError('First argument must not be a regular expression');
    return body(run, self, toText(run, sought), from === undefined ? undefined : toInteger(run, from));
  };

/** A method whose result is about as long as the text itself. */
const converting =
  (body: (self: string) => string): StringMethod =>
  (run, self) => {
    run.allowText(self.length);
    return body(self);
  };

/** A method that removes blanks, which it reads. */
const trimming =
  (body: (self: string) => string): StringMethod =>
  (run, self) => {
    const trimmed = body(self);
    run.read(self.length - trimmed.length, TRIM_NS);
    return trimmed;
  };
const TRIM_NS = 5;

const padding =
  (body: (self: string, length: number, fill: string) => string): StringMethod =>
  (run, self, [length, fill]) => {
    const wanted = toInteger(run, length);
    run.allowText(Math.max(wanted, self.length));
    return body(self, wanted, fill === undefined ? ' ' : toText(run, fill));
  };

function repeat(run: Run, self: string, [count]: Arguments): string {
  const times = toInteger(run, count);
  if (times < 0 || times === Infinity) throw rangeError(`Invalid count value: ${times}`);
  run.allowText(self.length * times);
  return self.repeat(times);
}

function concat(run: Run, self: string, args: Arguments): string {
  let result = self;
  for (const arg of args) {
    const text = toText(run, arg);
    run.allowText(result.length + text.length, text.length);
    result += text;
  }
  return result;
}

function localeCompare(run: Run, self: string, [other, locale]: Arguments): number {
  const text = toText(run, other);
  countMarks(run, self);
  countMarks(run, text);
  return hostRange(() => self.localeCompare(text, localesOf(locale)));
}

function normalize(run: Run, self: string, [form]: Arguments): string {
  countMarks(run, self);
  // A character decomposes into at most 18 others.
  run.allowText(self.length, self.length * 3);
  const result = hostRange(() => self.normalize(form === undefined ? 'NFC' : toText(run, form)));
  run.allowText(result.length);
  return result;
}

function hostRange<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw rangeError(error instanceof Error ? error.message : 'Invalid argument');
  }
}

/** Methods of JavaScript strings that take no regular expression. */
export const stringNativeMethods = methodTable('String', isString, {
  at: (run, self, [index]) => self.at(toInteger(run, index)),
  charAt: (run, self, [index]) => self.charAt(toInteger(run, index)),
  charCodeAt: (run, self, [index]) => self.charCodeAt(toInteger(run, index)),
  codePointAt: (run, self, [index]) => self.codePointAt(toInteger(run, index)),
  concat,
  endsWith: searching((_run, self, sought, end) => self.endsWith(sought, end)),
  includes: searching((run, self, sought, from) => findText(run, self, sought, from) >= 0),
  indexOf: searching((run, self, sought, from) => findText(run, self, sought, from)),
  isWellFormed: (_run, self) => !/\p{Surrogate}/u.test(self),
  lastIndexOf: searching((run, self, sought, from) => findLastText(run, self, sought, from)),
  localeCompare,
  normalize,
  padEnd: padding((self, length, fill) => self.padEnd(length, fill)),
  padStart: padding((self, length, fill) => self.padStart(length, fill)),
  repeat,
  slice: (run, self, [start, end]) => self.slice(toInteger(run, start), toInteger(run, end, self.length)),
  startsWith: searching((_run, self, sought, from) => self.startsWith(sought, from)),
  substr: (run, self, [start, length]) => self.substr(toInteger(run, start), toInteger(run, length, self.length)),
  substring: (run, self, [start, end]) => self.substring(toInteger(run, start), toInteger(run, end, self.length)),
  toLocaleLowerCase: converting((self) => self.toLowerCase()),
  toLocaleUpperCase: converting((self) => self.toUpperCase()),
  toLowerCase: converting((self) => self.toLowerCase()),
  toString: (_run: Run, self: string) => self,
  toUpperCase: converting((self) => self.toUpperCase()),
  toWellFormed: converting((self) => self.toWellFormed()),
  trim: trimming((self) => self.trim()),
  trimEnd: trimming((self) => self.trimEnd()),
  trimLeft: trimming((self) => self.trimStart()),
  trimRight: trimming((self) => self.trimEnd()),
  trimStart: trimming((self) => self.trimStart()),
  valueOf: (_run: Run, self: string) => self,
});
