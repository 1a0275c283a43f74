import { toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { countKey } from '../../runtime/texts';
import { deepEqual } from './deep-equal';

/**
 * The entries of a list without repetitions: the first of each. Objects are compared by their data, or by the
 * fields named in `keys`.
 */
export function unique(run: Run, list: readonly unknown[], keys: Arguments = []): unknown[] {
  run.allowEntries(list.length);
  const names = keys.map((key) => toText(run, key));
  const seen = new Set<unknown>();
  const objects: unknown[] = [];
  const result: unknown[] = [];
  for (const entry of list) {
    const isObject = typeof entry === 'object' && entry !== null;
    countKey(run, entry);
    const compared = isObject ? reduced(entry, names) : entry;
    if (isObject ? objects.some((other) => deepEqual(run, other, compared)) : seen.has(compared)) continue;
    if (isObject) objects.push(compared);
    else seen.add(compared);
    result.push(entry);
  }
  return result;
}

function reduced(entry: object, names: readonly string[]): unknown {
  if (names.length === 0) return entry;
  if (!isPlainObject(entry) && !isArray(entry)) return names.map(() => undefined);
  const fields = new Map(Object.entries(entry));
  return names.map((name) => fields.get(name));
}
