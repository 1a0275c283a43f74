import { toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { setOwn } from '../../runtime/names';
import { stringifyJson } from '../../runtime/data/json';
import { LIMITS } from '../../limits';
import { overBudget } from '../../runtime/run';
import { findText } from '../../runtime/find-text';
import { COSTS } from '../costs';
import { methodTable } from '../method';
import { misuse } from '../../errors';
import { isEmptyValue } from './generic';

type Fields = Record<string, unknown>;

/** A new object with those fields of `self` that `keep` says yes to. */
function pick(run: Run, self: Fields, keep: (key: string, value: unknown) => boolean): Fields {
  const keys = Object.keys(self);
  run.allowEntries(keys.length);
  const picked: Fields = {};
  for (const key of keys) if (keep(key, self[key])) setOwn(picked, key, self[key]);
  return run.made(picked);
}

/** A copy without the fields that `compact` removes, in objects within it too. */
function compactObject(run: Run, self: Fields, depth = 0): Fields {
  if (depth > LIMITS.dataDepth) throw overBudget(`goes through data nested deeper than ${LIMITS.dataDepth} levels`);
  const kept = pick(run, self, (_key, value) => !isBlank(value));
  for (const [key, value] of Object.entries(kept)) setOwn(kept, key, compactEntry(run, value, depth + 1));
  return kept;
}

/** A value as `compact` leaves it. A list turns into an object with its indexes as names, as it does in n8n. */
export function compactEntry(run: Run, value: unknown, depth = 0): unknown {
  if (isPlainObject(value)) return compactObject(run, value, depth);
  if (!isArray(value)) return value;
  run.allowEntries(value.length);
  return compactObject(run, { ...value }, depth);
}

/** True for what `compact` removes: nothing, an empty string, `nil`, and lists and objects that hold nothing. */
export function isBlank(value: unknown): boolean {
  return value === 'nil' || isEmptyValue(value);
}

/** All fields of both objects; where both have one, that of `first` counts. */
export function mergeObjects(run: Run, first: Fields, second: Fields): Fields {
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  run.allowEntries(keys.length);
  const merged: Fields = {};
  for (const key of keys) setOwn(merged, key, Object.hasOwn(first, key) ? first[key] : second[key]);
  return run.made(merged);
}

function merge(run: Run, self: Fields, [other]: Arguments): Fields {
  if (!isPlainObject(other)) throw misuse('merge', 'expected object arg');
  return mergeObjects(run, self, other);
}

function contains(run: Run, value: unknown, part: string): boolean {
  if (typeof value !== 'string') return false;
  run.read(value.length, COSTS.String.includes);
  return findText(run, value, part) >= 0;
}

/** Selects, or leaves out, the fields whose text contains the argument. Values other than text never contain it. */
const byContent =
  (method: string, wanted: boolean) =>
  (run: Run, self: Fields, [part]: Arguments): Fields => {
    if (typeof part !== 'string' || part === '') throw misuse(method, 'expected non-empty string arg');
    return pick(run, self, (_key, value) => contains(run, value, part) === wanted);
  };

function urlEncode(run: Run, self: Fields): string {
  const pairs = Object.entries(self).map(([key, value]): [string, string] => [key, toText(run, value)]);
  run.allowEntries(pairs.length);
  // One character takes up to nine in a URL.
  const characters = pairs.reduce((length, [key, value]) => length + key.length + value.length + 2, 0);
  run.read(characters, COSTS.String.urlEncode);
  run.allowText(characters * 9);
  return new URLSearchParams(pairs).toString();
}

/** Methods that expressions add to objects. An own field that is a function comes before them. */
export const objectExtensions = methodTable('Object', isPlainObject, {
  compact: (run, self) => compactObject(run, self),
  hasField: (run, self, [name]) => Object.hasOwn(self, toText(run, name)),
  keepFieldsContaining: byContent('keepFieldsContaining', true),
  keys: (run, self) => {
    const keys = Object.keys(self);
    run.allowEntries(keys.length);
    return run.made(keys);
  },
  merge,
  removeField: (run, self, [name]) => {
    const removed = toText(run, name);
    return pick(run, self, (key) => key !== removed);
  },
  removeFieldsContaining: byContent('removeFieldsContaining', false),
  toBoolean: () => undefined,
  toDateTime: () => undefined,
  toFloat: () => undefined,
  toInt: () => undefined,
  toJsonString: (run, self) => stringifyJson(run, self),
  urlEncode,
  values: (run, self) => {
    const values = Object.values(self);
    run.allowEntries(values.length);
    return run.made(values);
  },
});
