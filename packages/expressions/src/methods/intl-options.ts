import { LIMITS } from '../limits';
import { isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';

/** Steps for each use of Intl: what it makes is large, and is not on the heap. */
export const INTL_STEPS = 500;

/** Options for Intl and luxon: the texts, numbers and booleans of a plain object. Everything else in it is left out. */
export function intlOptions(run: Run, options: unknown): Record<string, string | number | boolean> | undefined {
  if (!isPlainObject(options)) return undefined;
  const keys = Object.keys(options);
  run.work(keys.length);
  if (keys.length > 50) throw typeError('Too many options');
  const result: Record<string, string | number | boolean> = {};
  for (const key of keys) {
    const value = options[key];
    if (key === '__proto__' || !(typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'))
      continue;
    if (typeof value === 'string' && value.length > LIMITS.dateTextLength)
      throw typeError(`The option ${key} is too long`);
    result[key] = value;
  }
  return result;
}
