import type { Arguments } from '../../runtime/values/function-value';
import { IteratorValue } from '../../runtime/values/iterator-value';
import { joinTexts, toInteger, toText } from '../../runtime/convert';
import { isArray } from '../../runtime/kinds';
import { LIMITS } from '../../limits';
import type { Run } from '../../runtime/run';
import { overBudget } from '../../runtime/run';
import { countEqual } from '../../runtime/texts';
import { rangeError } from '../../runtime/thrown';
import { methodTable } from '../method';
import { insertAt } from './lists';
import { sorted } from './lists';

function concat(run: Run, self: unknown[], args: Arguments): unknown[] {
  const lists = [self, ...args.map((arg) => (isArray(arg) ? arg : [arg]))];
  run.allowEntries(lists.reduce((length, list) => length + list.length, 0));
  return run.made(lists.flat(1));
}

function flat(run: Run, self: unknown[], [depth]: Arguments): unknown[] {
  const result: unknown[] = [];
  const add = (list: readonly unknown[], left: number, level: number): void => {
    if (level > LIMITS.dataDepth) throw overBudget(`flattens arrays nested deeper than ${LIMITS.dataDepth} levels`);
    for (const entry of list) {
      run.grow(result.length + 1);
      if (isArray(entry) && left > 0) add(entry, left - 1, level + 1);
      else result.push(entry);
    }
  };
  add(self, toInteger(run, depth, 1), 0);
  return run.made(result);
}

function slice(run: Run, self: unknown[], [start, end]: Arguments): unknown[] {
  const from = toInteger(run, start);
  const part = self.slice(from, toInteger(run, end, self.length));
  run.allowEntries(part.length);
  return run.made(part);
}

function withEntry(run: Run, self: unknown[], [index, value]: Arguments): unknown[] {
  const position = toInteger(run, index);
  const place = position < 0 ? self.length + position : position;
  if (place < 0 || place >= self.length) throw rangeError('Invalid index');
  run.allowEntries(self.length);
  return run.made(self.map((entry, at) => (at === place ? value : entry)));
}

function toSpliced(run: Run, self: unknown[], args: Arguments): unknown[] {
  const start = toInteger(run, args[0]);
  const count = args.length < 2 ? self.length : toInteger(run, args[1]);
  run.allowEntries(self.length + Math.max(0, args.length - 2));
  const copy = [...self];
  insertAt(copy, start, count, args.slice(2));
  return run.made(copy);
}

/** A method that compares the entries with a value. */
const seeking =
  (seek: (self: unknown[], sought: unknown, from: number | undefined) => unknown) =>
  (run: Run, self: unknown[], [sought, from]: Arguments): unknown => {
    run.work(self.length >> 3);
    if (typeof sought === 'string') for (const entry of self) countEqual(run, entry, sought);
    return seek(self, sought, from === undefined ? undefined : toInteger(run, from));
  };

function copied(run: Run, self: readonly unknown[]): unknown[] {
  run.allowEntries(self.length);
  return [...self];
}

/** Methods of JavaScript arrays that only read. */
export const arrayReaderMethods = methodTable('Array', isArray, {
  at: (run, self, [index]) => self.at(toInteger(run, index)),
  concat,
  entries: (run, self) => new IteratorValue(copied(run, self).map((entry, index) => [index, entry])),
  flat,
  includes: seeking((self, sought, from) => self.includes(sought, from)),
  indexOf: seeking((self, sought, from) => self.indexOf(sought, from)),
  join: (run, self, [separator]) => joinTexts(run, self, separator === undefined ? ',' : toText(run, separator)),
  keys: (run, self) => new IteratorValue(copied(run, self).map((_, index) => index)),
  lastIndexOf: seeking((self, sought, from) =>
    from === undefined ? self.lastIndexOf(sought) : self.lastIndexOf(sought, from),
  ),
  slice,
  toLocaleString: (run: Run, self: unknown[]) => joinTexts(run, self, ','),
  toReversed: (run, self) => run.made(copied(run, self).reverse()),
  toSorted: (run, self, [compare]) => run.made(sorted(run, self, compare)),
  toSpliced,
  toString: (run: Run, self: unknown[]) => joinTexts(run, self, ','),
  values: (run, self) => new IteratorValue(copied(run, self)),
  with: withEntry,
});
