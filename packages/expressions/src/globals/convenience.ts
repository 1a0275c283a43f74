import { isEmptyValue } from '../methods/extensions/generic';
import { misuse } from '../errors';
import { toInteger, toKey, toNumber, toText } from '../runtime/convert';
import { NativeFunction, nativeFunctions } from '../runtime/function-value';
import type { Arguments } from '../runtime/function-value';
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
    throw misuse('zip', 'expected two arrays of the same length');
  run.allowEntries(keys.length);
  const zipped: Record<string, unknown> = {};
  keys.forEach((key, index) => setOwn(zipped, toText(run, key), values[index]));
  return run.made(zipped);
}

function average(run: Run, args: Arguments): number {
  return args.reduce<number>((sum, arg) => sum + toNumber(run, arg), 0) / args.length;
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
  zip,
};

/** The functions that expressions add to JavaScript's globals. */
export const convenienceFunctions: Readonly<Record<string, NativeFunction>> = {
  ...nativeFunctions({ ...plain, extend, extendOptional }),
  ...nativeFunctions({
    $average: plain.average,
    $ifEmpty: (_run, [value, fallback]) => (isEmptyValue(value) ? fallback : value),
    $max: plain.max,
    $min: plain.min,
    $not: plain.not,
  }),
};
