import { LIMITS } from '../limits';
import { isArray, isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';

/** Steps for each use of Intl: what it makes is large, and is not on the heap. */
export const INTL_STEPS = 500;

/** Languages that one formatter may be asked for; those beyond are left out. */
const MAX_LOCALES = 10;

/**
 * The languages that an argument names: a string or a list of them. English of the United States if there is no
 * argument; an object, a number and a boolean name none, as in JavaScript.
 * @throws Thrown TypeError for null, and for what is not text in a list
 */
export function localesOf(value: unknown): string | string[] {
  if (value === null) throw typeError('Cannot convert null to a list of languages');
  if (typeof value === 'string') return value.slice(0, LIMITS.dateTextLength);
  return isArray(value) ? value.slice(0, MAX_LOCALES).map(languageOf) : 'en-US';
}

function languageOf(value: unknown): string {
  if (typeof value !== 'string') throw typeError('Incorrect locale information provided');
  return value.slice(0, LIMITS.dateTextLength);
}

/** Options for Intl and luxon: the strings, numbers and booleans of a plain object. Other members are dropped. */
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
