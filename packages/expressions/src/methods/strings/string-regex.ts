import type { Arguments } from '../../runtime/values/function-value';
import { FunctionValue } from '../../runtime/values/function-value';
import { IteratorValue } from '../../runtime/values/iterator-value';
import { toInteger, toText } from '../../runtime/convert';
import type { Run } from '../../runtime/run';
import { typeError } from '../../runtime/thrown';
import type { RegexMatch } from '../../scope';
import { findMatch } from '../../regex/find-match';
import { matchArray } from '../../regex/regex-value';
import { readPattern } from '../../regex/pattern';
import { RegexValue } from '../../regex/regex-value';
import { replaceRegex, replaceText } from '../../regex/replace';
import { splitRegex, splitText } from '../../regex/split';
import { methodTable } from '../method';
import { isString } from '../type-tests';

function asRegex(run: Run, value: unknown, flags: string): RegexValue {
  if (value instanceof RegexValue) return value;
  run.checkClockSoon();
  return new RegexValue(readPattern(value === undefined ? '' : toText(run, value), flags));
}

function match(run: Run, self: string, [sought]: Arguments): unknown {
  const regex = asRegex(run, sought, '');
  if (!regex.isGlobal) {
    const found = findMatch(run, regex, self, regex.isSticky ? regex.lastIndex : 0);
    return found === undefined ? null : matchArray(run, found, self);
  }
  const all = allMatches(run, self, regex).map((found) => found.groups[0] ?? '');
  return all.length === 0 ? null : run.made(all);
}

function matchAll(run: Run, self: string, [sought]: Arguments): IteratorValue {
  if (sought instanceof RegexValue && !sought.isGlobal)
    throw typeError('String.prototype.matchAll called with a non-global RegExp argument');
  const regex = asRegex(run, sought, 'g');
  return new IteratorValue(allMatches(run, self, regex).map((found) => matchArray(run, found, self)));
}

function allMatches(run: Run, text: string, regex: RegexValue): RegexMatch[] {
  const all: RegexMatch[] = [];
  let from = 0;
  for (;;) {
    const found = findMatch(run, regex, text, from);
    if (found === undefined) return all;
    run.grow(all.length + 1);
    all.push(found);
    const length = found.groups[0]?.length ?? 0;
    from = found.index + Math.max(1, length);
  }
}

function replace(run: Run, self: string, [sought, replacement]: Arguments): string {
  const by = replacement instanceof FunctionValue ? replacement : toText(run, replacement);
  if (sought instanceof RegexValue) return replaceRegex(run, self, sought, by);
  return replaceText(run, self, toText(run, sought), by, false);
}

function replaceAll(run: Run, self: string, [sought, replacement]: Arguments): string {
  const by = replacement instanceof FunctionValue ? replacement : toText(run, replacement);
  if (!(sought instanceof RegexValue)) return replaceText(run, self, toText(run, sought), by, true);
  if (!sought.isGlobal) throw typeError('replaceAll must be called with a global RegExp');
  return replaceRegex(run, self, sought, by);
}

function split(run: Run, self: string, [separator, limit]: Arguments): (string | undefined)[] {
  const most = limit === undefined ? Infinity : toInteger(run, limit);
  if (separator instanceof RegexValue) return run.made(splitRegex(run, self, separator, most));
  return run.made(separator === undefined ? [self] : splitText(run, self, toText(run, separator), most));
}

/** Methods of JavaScript strings that take a regular expression, or a string in its place. */
export const stringRegexMethods = methodTable('String', isString, {
  match,
  matchAll,
  replace,
  replaceAll,
  search: (run, self, [sought]) => findMatch(run, asRegex(run, sought, ''), self, 0)?.index ?? -1,
  split,
});
