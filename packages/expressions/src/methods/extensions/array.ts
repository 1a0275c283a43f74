import { toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import { stringifyJson } from '../../runtime/data/json';
import type { Run } from '../../runtime/run';
import { typeError } from '../../runtime/thrown';
import { setOwn } from '../../runtime/names';
import { methodTable } from '../method';
import type { MethodBody } from '../method';
import { includesEqual } from './deep-equal';
import { misuse } from '../../errors';
import { compactEntry, isBlank, mergeObjects } from './object';
import { unique } from './unique';

type ArrayMethod = MethodBody<unknown[]>;

/** A method that works on a list of numbers. */
const ofNumbers =
  (method: string, body: (numbers: readonly number[]) => number): ArrayMethod =>
  (run, self) => {
    run.work(self.length);
    const numbers = self.filter((entry) => typeof entry === 'number');
    if (numbers.length < self.length) throw misuse(method, 'all array elements must be numbers');
    return body(numbers);
  };

/** A method that takes a second list. */
const withOther =
  (method: string, body: (run: Run, self: unknown[], other: readonly unknown[]) => unknown[]): ArrayMethod =>
  (run, self, [other]) => {
    if (!isArray(other)) throw misuse(method, `expected array arg, for example .${method}([1, 2])`);
    return run.made(body(run, self, other));
  };

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function chunk(run: Run, self: unknown[], [size]: Arguments): unknown[][] {
  if (typeof size !== 'number' || !(size >= 1))
    throw misuse('chunk', 'expected non-zero numeric arg, for example .chunk(5)');
  run.allowEntries(self.length);
  const chunks: unknown[][] = [];
  for (let start = 0; start < self.length; start += size) chunks.push(run.made(self.slice(start, start + size)));
  return run.made(chunks);
}

function compact(run: Run, self: unknown[]): unknown[] {
  run.allowEntries(self.length);
  return run.made(self.filter((entry) => !isBlank(entry)).map((entry) => compactEntry(run, entry)));
}

/** The fields of an object; those of a list are its entries. Undefined for anything else. */
function fieldsOf(run: Run, value: unknown): Record<string, unknown> | undefined {
  if (isPlainObject(value)) return value;
  if (!isArray(value)) return undefined;
  run.allowEntries(value.length);
  return { ...value };
}

function merge(run: Run, self: unknown[], [other]: Arguments): Record<string, unknown> {
  if (other !== undefined && !isArray(other))
    throw misuse('merge', 'expected array arg, for example .merge([{ id: 1 }])');
  let merged: Record<string, unknown> = {};
  self.forEach((entry, index) => {
    const partner = other?.[index];
    if (other === undefined) {
      if (isPlainObject(entry)) merged = mergeObjects(run, merged, entry);
      return;
    }
    if (entry === null && partner === null) throw typeError('Cannot convert null to object');
    const fields = entry === null ? {} : fieldsOf(run, entry);
    const added = fieldsOf(run, partner);
    if (fields !== undefined && (added !== undefined || partner === null))
      merged = mergeObjects(run, mergeObjects(run, fields, added ?? {}), merged);
  });
  return run.made(merged);
}

/** Like `merge` with a list, and an entry that has no partner counts as well. */
function mergeIntoObject(run: Run, self: unknown[], [other]: Arguments): Record<string, unknown> {
  if (!isArray(other)) throw misuse('mergeIntoObject', 'expected array arg, for example .mergeIntoObject([{ id: 1 }])');
  let merged: Record<string, unknown> = {};
  const length = Math.max(self.length, other.length);
  run.allowEntries(length);
  for (let index = 0; index < length; index += 1) {
    const fields = fieldsOf(run, self[index]);
    const added = fieldsOf(run, other[index]);
    if (fields !== undefined || added !== undefined)
      merged = mergeObjects(run, mergeObjects(run, fields ?? {}, added ?? {}), merged);
  }
  return run.made(merged);
}

/** The values of the named fields, in the order of the record; a single field gives its value alone. */
function valuesInOrder(run: Run, record: Record<string, unknown>, names: readonly string[]): unknown {
  const [only, ...others] = names;
  if (others.length === 0 && only !== undefined) return record[only];
  const keys = Object.keys(record);
  run.work(keys.length);
  const wanted = new Set(names);
  return run.made(keys.filter((key) => wanted.has(key)).map((key) => record[key]));
}

function pluck(run: Run, self: unknown[], args: Arguments): unknown[] {
  run.allowEntries(self.length);
  if (args.length === 0) return run.made([...self]);
  const fields = args.filter((arg) => typeof arg === 'string');
  run.work(self.length * fields.length);
  const rows = self.flatMap((entry) => {
    const record = fieldsOf(run, entry) ?? {};
    const names = fields.filter((field) => Object.hasOwn(record, field));
    return names.length === 0 ? [] : [valuesInOrder(run, record, names)];
  });
  return run.made(rows);
}

/** Moves a field to another name, where it replaces what stands there. */
function rename(record: Record<string, unknown>, from: string, to: string): void {
  if (!Object.hasOwn(record, from)) return;
  setOwn(record, to, record[from]);
  delete record[from];
}

function renameKeys(run: Run, self: unknown[], args: Arguments): unknown[] {
  if (args.length === 0 || args.length % 2 !== 0)
    throw misuse('renameKeys', 'expected an even amount of args: from1, to1, from2, to2');
  const names = args.map((arg) => toText(run, arg));
  run.allowEntries(self.length);
  run.work(self.length * names.length);
  return run.made(
    self.map((entry) => {
      const fields = fieldsOf(run, entry);
      if (fields === undefined) return entry;
      run.allowEntries(Object.keys(fields).length);
      const copy: Record<string, unknown> = { ...fields };
      for (let index = 0; index < names.length; index += 2) rename(copy, names[index] ?? '', names[index + 1] ?? '');
      return run.made(copy);
    }),
  );
}

function smartJoin(run: Run, self: unknown[], [keyField, valueField]: Arguments): Record<string, unknown> {
  if (typeof keyField !== 'string' || typeof valueField !== 'string' || keyField === '' || valueField === '') {
    throw misuse('smartJoin', 'expected two string args, for example .smartJoin("name", "value")');
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
  mergeIntoObject,
  min: ofNumbers('min', (numbers) => numbers.reduce((least, number) => Math.min(least, number), Infinity)),
  pluck,
  randomItem: (_run, self) => self[Math.floor(Math.random() * self.length)],
  removeDuplicates: (run, self, args) => run.made(unique(run, self, args)),
  renameKeys,
  reverse: (run, self) => {
    run.allowEntries(self.length);
    return run.made([...self].reverse());
  },
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
