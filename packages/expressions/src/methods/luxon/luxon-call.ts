import { ExpressionError } from '../../errors';
import { LIMITS } from '../../limits';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Arguments } from '../../runtime/values/function-value';
import type { Run } from '../../runtime/run';
import { ErrorValue, Thrown, typeError } from '../../runtime/thrown';
import { inZone } from '../../dates/date-text';
import { noteOptions } from './luxon-caches';
import { methodTable } from '../method';
import type { MethodTable } from '../method';
import { isDate, isDateTime, isDuration, isInterval } from '../type-tests';

const MAX_LIST = 1000;
/** Methods whose arguments may name a language, a zone or a style. */
const NAMES_VARIANTS: ReadonlySet<string> = new Set(
  'reconfigure setLocale toFormat toHuman toISO toLocaleParts toLocaleString toRelative toRelativeCalendar'.split(' '),
);

/**
 * An argument as it may be given to luxon: strings of bounded length, numbers, dates, and lists and plain objects of
 * those.
 * @throws Thrown TypeError for anything else
 */
export function luxonArgument(run: Run, value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    if (value.length > LIMITS.dateTextLength) throw typeError('The string is too long to be a date or a format');
    return value;
  }
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return value;
  if (isDateTime(value) || isDuration(value) || isInterval(value)) return value;
  if (isDate(value)) return inZone(value, run.scope.timezone);
  if (depth > 2) throw typeError('The argument is nested too deeply');
  if (isArray(value)) run.work(value.length);
  if (isArray(value) && value.length <= MAX_LIST) return value.map((entry) => luxonArgument(run, entry, depth + 1));
  if (!isPlainObject(value)) throw typeError('The argument is not of a kind that dates understand');
  const keys = Object.keys(value).filter((key) => key !== '__proto__');
  run.work(keys.length);
  if (keys.length > MAX_LIST) throw typeError('The argument has too many fields');
  return Object.fromEntries(keys.map((key) => [key, luxonArgument(run, value[key], depth + 1)]));
}

/** Runs a call of luxon or Intl; what it throws is an exception of the expression. */
export function callHost<T>(body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof Thrown) throw error;
    if (!(error instanceof Error) || error instanceof RangeError)
      throw new Thrown(new ErrorValue('RangeError', 'Invalid argument'));
    throw new Thrown(new ErrorValue('Error', error.message));
  }
}

/** A result of luxon as the expression may have it: lists and plain objects count as made by it. */
export function luxonResult(run: Run, value: unknown): unknown {
  if (isArray(value)) {
    run.allowEntries(value.length);
    return run.made(value);
  }
  return isPlainObject(value) ? run.made({ ...value }) : value;
}

/**
 * Result of luxon's own method of that name for these arguments.
 * @throws Thrown what luxon throws, and a TypeError for an argument that it may not be given
 */
export function callLuxon(run: Run, self: object, name: string, args: Arguments): unknown {
  const method: unknown = Reflect.get(self, name);
  if (typeof method !== 'function') throw typeError(`${name} is not a function`);
  const given = args.slice(0, MAX_LIST).map((arg) => luxonArgument(run, arg));
  if (NAMES_VARIANTS.has(name)) noteOptions(given);
  return callHost((): unknown => Reflect.apply(method, self, given));
}

/** A method table whose bodies are luxon's own methods of those names. */
export function luxonMethods<T extends object>(
  type: string,
  isType: (value: unknown) => value is T,
  names: readonly string[],
): MethodTable {
  const body =
    (name: string) =>
    (run: Run, self: T, args: Arguments): unknown =>
      luxonResult(run, callLuxon(run, self, name, args));
  return methodTable(type, isType, Object.fromEntries(names.map((name) => [name, body(name)])));
}
