import { LIMITS } from '../../limits';
import { isPlainObject } from '../kinds';
import type { Run } from '../run';
import { overBudget } from '../run';
import { setOwn } from '../names';

/**
 * A deep copy of JSON data. The same object becomes the same copy within one `copies`. Leaves other values unchanged.
 * @throws ExpressionError `budget`
 */
export function copyData(run: Run, data: unknown, copies: Map<object, unknown>, depth = 0): unknown {
  if (typeof data !== 'object' || data === null) return data;
  const known = copies.get(data);
  if (known !== undefined) return known;
  if (depth > LIMITS.dataDepth) throw overBudget(`copies data nested deeper than ${LIMITS.dataDepth} levels`);
  if (Array.isArray(data)) {
    run.allowEntries(data.length);
    const copy: unknown[] = [];
    copies.set(data, copy);
    for (const entry of data) copy.push(copyData(run, entry, copies, depth + 1));
    return copy;
  }
  if (!isPlainObject(data)) return data;
  const keys = Object.keys(data);
  run.allowEntries(keys.length);
  const copy: Record<string, unknown> = {};
  copies.set(data, copy);
  for (const key of keys) setOwn(copy, key, copyData(run, data[key], copies, depth + 1));
  return copy;
}
