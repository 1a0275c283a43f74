import { LIMITS } from '../../limits';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { overBudget } from '../../runtime/run';
import { countEqual } from '../../runtime/texts';

/** True if two values hold the same data. A field that is undefined differs from one that is missing. */
export function deepEqual(run: Run, a: unknown, b: unknown, depth = 0): boolean {
  run.step(1);
  countEqual(run, a, b);
  if (Object.is(a, b) || a === b) return true;
  if (depth > LIMITS.dataDepth) throw overBudget(`compares data nested deeper than ${LIMITS.dataDepth} levels`);
  if (isArray(a) && isArray(b)) {
    return a.length === b.length && a.every((entry, index) => deepEqual(run, entry, b[index], depth + 1));
  }
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && deepEqual(run, a[key], b[key], depth + 1))
  );
}

/** True if the list holds an entry with the same data as `sought`. */
export function includesEqual(run: Run, list: readonly unknown[], sought: unknown): boolean {
  return list.some((entry) => deepEqual(run, entry, sought));
}
