import type { Arguments } from '../runtime/function-value';
import { toInteger, toText } from '../runtime/convert';
import type { Run } from '../runtime/run';
import { rangeError, typeError } from '../runtime/thrown';
import { RegexValue } from '../regex/regex-value';
import { localesOf } from './intl-options';
import { methodTable } from './method';
import type { MethodBody } from './method';
import { isString } from './type-tests';

type StringMethod = MethodBody<string>;

/** A method that looks through the whole text for another one, which may not be a regular expression. */
const searching =
  (body: (self: string, sought: string, from: number | undefined) => unknown): StringMethod =>
  (run, self, [sought, from]) => {
    if (sought instanceof RegexValue) throw typeError('First argument must not be a regular expression');
    run.work(self.length >> 6);
    return body(self, toText(run, sought), from === undefined ? undefined : toInteger(run, from));
  };

/** A method whose result is about as long as the text itself. */
const converting =
  (body: (self: string) => string): StringMethod =>
  (run, self) => {
    run.work(self.length >> 6);
    run.allowText(self.length);
    return body(self);
  };

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
  run.work((self.length + text.length) >> 3);
  return hostRange(() => self.localeCompare(text, localesOf(locale)));
}

function normalize(run: Run, self: string, [form]: Arguments): string {
  run.work(self.length >> 3);
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
  endsWith: searching((self, sought, end) => self.endsWith(sought, end)),
  includes: searching((self, sought, from) => self.includes(sought, from)),
  indexOf: searching((self, sought, from) => self.indexOf(sought, from)),
  isWellFormed: (_run, self) => !/\p{Surrogate}/u.test(self),
  lastIndexOf: searching((self, sought, from) => self.lastIndexOf(sought, from)),
  localeCompare,
  normalize,
  padEnd: padding((self, length, fill) => self.padEnd(length, fill)),
  padStart: padding((self, length, fill) => self.padStart(length, fill)),
  repeat,
  slice: (run, self, [start, end]) => self.slice(toInteger(run, start), toInteger(run, end, self.length)),
  startsWith: searching((self, sought, from) => self.startsWith(sought, from)),
  substr: (run, self, [start, length]) => self.substr(toInteger(run, start), toInteger(run, length, self.length)),
  substring: (run, self, [start, end]) => self.substring(toInteger(run, start), toInteger(run, end, self.length)),
  toLocaleLowerCase: converting((self) => self.toLowerCase()),
  toLocaleUpperCase: converting((self) => self.toUpperCase()),
  toLowerCase: converting((self) => self.toLowerCase()),
  toString: (_run: Run, self: string) => self,
  toUpperCase: converting((self) => self.toUpperCase()),
  toWellFormed: converting((self) => self.toWellFormed()),
  trim: (_run, self) => self.trim(),
  trimEnd: (_run, self) => self.trimEnd(),
  trimLeft: (_run, self) => self.trimStart(),
  trimRight: (_run, self) => self.trimEnd(),
  trimStart: (_run, self) => self.trimStart(),
  valueOf: (_run: Run, self: string) => self,
});
