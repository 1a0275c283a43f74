import { toInteger, toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import { stringifyJson } from '../../runtime/json';
import type { Run } from '../../runtime/run';
import { setOwn } from '../../runtime/names';
import { methodTable } from '../method';
import type { MethodBody } from '../method';
import { includesEqual } from './deep-equal';
import { misuse } from '../../errors';
import { compactObject, isBlank, mergeObjects } from './object';
import { unique } from './unique';

type ArrayMethod = MethodBody<unknown[]>;

/** A method that works on a list of numbers. */
const ofNumbers =
  (method: string, body: (numbers: readonly number[]) => number): ArrayMethod =>
  (run, self) => {
    run.work(self.length);
    const numbers = self.filter((entry) => typeof entry === 'number');
    if (numbers.length < self.length) throw misuse(method, 'all elements of the array must be numbers');
    return body(numbers);
  };

/** A method that takes a second list. */
const withOther =
  (method: string, body: (run: Run, self: unknown[], other: readonly unknown[]) => unknown[]): ArrayMethod =>
  (run, self, [other]) => {
    if (!isArray(other)) throw misuse(method, 'expected an array as the argument');
    return run.made(body(run, self, other));
  };

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function chunk(run: Run, self: unknown[], [length]: Arguments): unknown[][] {
  const size = toInteger(run, length);
  if (size < 1) throw misuse('chunk', 'expected a number above zero as the argument, for example .chunk(5)');
  run.allowEntries(self.length);
  const chunks: unknown[][] = [];
  for (let start = 0; start < self.length; start += size) chunks.push(run.made(self.slice(start, start + size)));
  return run.made(chunks);
}

function compact(run: Run, self: unknown[]): unknown[] {
  run.allowEntries(self.length);
  return run.made(
    self.filter((entry) => !isBlank(entry)).map((entry) => (isPlainObject(entry) ? compactObject(run, entry) : entry)),
  );
}

function merge(run: Run, self: unknown[], [other]: Arguments): Record<string, unknown> {
  if (other !== undefined && !isArray(other)) throw misuse('merge', 'expected an array as the argument');
  let merged: Record<string, unknown> = {};
  self.forEach((entry, index) => {
    const partner = other?.[index];
    if (!isPlainObject(entry)) return;
    if (other === undefined) merged = mergeObjects(run, merged, entry);
    else if (isPlainObject(partner)) merged = mergeObjects(run, mergeObjects(run, entry, partner), merged);
  });
  return run.made(merged);
}

function pluck(run: Run, self: unknown[], args: Arguments): unknown[] {
  run.allowEntries(self.length);
  if (args.length === 0) return run.made([...self]);
  const fields = args.map((arg) => toText(run, arg));
  run.work(self.length * fields.length);
  const rows = self
    .filter(isPlainObject)
    .map((entry) => fields.filter((field) => Object.hasOwn(entry, field)).map((field) => entry[field]));
  const found = rows.filter((values) => values.length > 0);
  return run.made(fields.length === 1 ? found.map(([value]) => value) : found);
}

function renameKeys(run: Run, self: unknown[], args: Arguments): unknown[] {
  if (args.length === 0 || args.length % 2 !== 0)
    throw misuse('renameKeys', 'expected pairs of keys: from1, to1, from2, to2');
  const names = args.map((arg) => toText(run, arg));
  const renamed = new Map(
    names.flatMap((name, index) => (index % 2 === 0 ? [[name, names[index + 1] ?? name] as const] : [])),
  );
  run.allowEntries(self.length);
  return run.made(
    self.map((entry) => {
      if (!isPlainObject(entry)) return entry;
      const keys = Object.keys(entry);
      run.allowEntries(keys.length);
      const copy: Record<string, unknown> = {};
      for (const key of keys) setOwn(copy, renamed.get(key) ?? key, entry[key]);
      return run.made(copy);
    }),
  );
}

function smartJoin(run: Run, self: unknown[], [keyField, valueField]: Arguments): Record<string, unknown> {
  if (typeof keyField !== 'string' || typeof valueField !== 'string' || keyField === '' || valueField === '') {
    throw misuse('smartJoin', 'expected the names of two fields, for example .smartJoin("name", "value")');
  }
  run.allowEntries(self.length);
  const joined: Record<string, unknown> = {};
  for (const entry of self) {
    if (!isPlainObject(entry) || !Object.hasOwn(entry, keyField) || !Object.hasOwn(entry, valueField)) continue;
    setOwn(joined, toText(run, entry[keyField]), entry[valueField]);
  }
  return run.made(joined);
}

function append(run: Run, self: unknown[], args: Arguments): unknown[] {
  run.allowEntries(self.length + args.length);
  return run.made([...self, ...args]);
}

/** Methods that expressions add to arrays. */
export const arrayExtensions = methodTable('Array', isArray, {
  append,
  average: ofNumbers('average', (numbers) => (numbers.length === 0 ? 0 : sum(numbers) / numbers.length)),
  chunk,
  compact,
  difference: withOther('difference', (run, self, other) =>
    unique(
      run,
      self.filter((entry) => !includesEqual(run, other, entry)),
    ),
  ),
  first: (_run, self) => self[0],
  intersection: withOther('intersection', (run, self, other) =>
    unique(
      run,
      self.filter((entry) => includesEqual(run, other, entry)),
    ),
  ),
  last: (_run, self) => self.at(-1),
  length: (_run, self) => self.length,
  max: ofNumbers('max', (numbers) => numbers.reduce((most, number) => Math.max(most, number), -Infinity)),
  merge,
  min: ofNumbers('min', (numbers) => numbers.reduce((least, number) => Math.min(least, number), Infinity)),
  pluck,
  randomItem: (_run, self) => self[Math.floor(Math.random() * self.length)],
  removeDuplicates: (run, self, args) => run.made(unique(run, self, args)),
  renameKeys,
  smartJoin,
  sum: ofNumbers('sum', sum),
  toBoolean: () => undefined,
  toDateTime: () => undefined,
  toFloat: () => undefined,
  toInt: () => undefined,
  toJsonString: (run, self) => stringifyJson(run, self),
  union: withOther('union', (run, self, other) => unique(run, [...self, ...other])),
  unique: (run, self, args) => run.made(unique(run, self, args)),
});
