import { isEmptyValue } from '../methods/extensions/generic';
import { misuse } from '../errors';
import { toInteger, toKey, toText } from '../runtime/convert';
import { NativeFunction, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { isArray } from '../runtime/kinds';
import { callMember, checkedKey, isCallableMember } from '../runtime/members';
import type { Run } from '../runtime/run';
import { setOwn } from '../runtime/names';
import { extreme } from './math';

function numberList(run: Run, [start, end]: Arguments): number[] {
  const first = toInteger(run, start);
  const last = toInteger(run, end);
  const length = Math.abs(last - first) + 1;
  run.allowEntries(length);
  const step = last >= first ? 1 : -1;
  return run.made(Array.from({ length }, (_, index) => first + index * step));
}

function zip(run: Run, [keys, values]: Arguments): Record<string, unknown> {
  if (!isArray(keys) || !isArray(values) || keys.length !== values.length)
    throw misuse('zip', 'keys and values must be arrays of equal length');
  run.allowEntries(keys.length);
  const zipped: Record<string, unknown> = {};
  keys.forEach((key, index) => setOwn(zipped, toText(run, key), values[index]));
  return run.made(zipped);
}

function average(_run: Run, args: Arguments): number {
  const numbers = args.filter((arg) => typeof arg === 'number');
  if (numbers.length < args.length) throw misuse('average', 'all array elements must be numbers');
  return numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function ifEmpty(_run: Run, args: Arguments): unknown {
  if (args.length !== 2) throw misuse('$ifEmpty', 'expected two arguments (value, defaultValue) for this function');
  return isEmptyValue(args[0]) ? args[1] : args[0];
}

/** A value as one segment of a path: encoded, so that it cannot lead to another path. */
function toPathSegment(run: Run, [value]: Arguments): string {
  if (value === undefined || value === null) throw misuse('toPathSegment', 'Invalid identifier: a value is required');
  const segment = toText(run, value);
  run.allowText(segment.length, segment.length * 9);
  if (segment === '' || segment === '.' || segment === '..')
    throw misuse('toPathSegment', `Invalid identifier: "${segment}" is not allowed`);
  if (!segment.isWellFormed()) throw misuse('toPathSegment', 'Invalid identifier: it is not well-formed Unicode');
  return encodeURIComponent(segment);
}

/** Calls a method by its name, as expressions that were stored rewritten do. */
function extend(run: Run, [value, name, args]: Arguments): unknown {
  return callMember(run, value, checkedKey(toKey(run, name)), isArray(args) ? args : []);
}

function extendOptional(run: Run, [value, name]: Arguments): unknown {
  const key = checkedKey(toKey(run, name));
  if (!isCallableMember(run, value, key)) return undefined;
  return new NativeFunction(key, 0, (inner, _self, args) => callMember(inner, value, key, args));
}

const plain = {
  average,
  max: extreme(Math.max, -Infinity),
  min: extreme(Math.min, Infinity),
  not: (_run: Run, [value]: Arguments): boolean => !value,
  numberList,
  toPathSegment,
  zip,
};

/** The functions that expressions add to JavaScript's globals. */
export const convenienceFunctions: Readonly<Record<string, NativeFunction>> = {
  ...nativeFunctions({ ...plain, extend, extendOptional }),
  ...nativeFunctions({
    $average: plain.average,
    $ifEmpty: ifEmpty,
    $max: plain.max,
    $min: plain.min,
    $not: plain.not,
  }),
};
