import { DateTime, Duration, Interval } from 'luxon';
import { ExpressionError } from '../errors';
import { bodyValue, type FixedScopeOptions } from './fixed-scope';

/** Data for attempts to escape. */
export const OPTIONS: FixedScopeOptions = {
  items: [{ a: { b: 1, list: [1, 2] }, s: 'text', n: 7 }],
  nodes: { Other: [{ x: 1 }] },
};

/** The reason a result is more than data; undefined if it is nothing but data. */
function leak(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return typeof value;
  if (typeof value !== 'object' || value === null || depth > 6) return undefined;
  if (value instanceof Date || DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value))
    return undefined;
  if (
    [Object.prototype, Array.prototype, Function.prototype, String.prototype, globalThis].some((host) => host === value)
  )
    return 'host object';
  const children = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  return children.map((child) => leak(child, depth + 1)).find((reason) => reason !== undefined);
}

/** Fault of a body: it returns more than data, or fails with something else than an error of expressions. */
export function outcome(body: string): string | undefined {
  try {
    return leak(bodyValue(body, OPTIONS));
  } catch (error) {
    return error instanceof ExpressionError ? undefined : `threw ${String(error)}`;
  }
}

/** Names that are refused everywhere. */
export const FORBIDDEN = [
  'constructor',
  '__proto__',
  'prototype',
  'getPrototypeOf',
  'setPrototypeOf',
  'defineProperty',
  'defineProperties',
  'getOwnPropertyDescriptor',
  'getOwnPropertyDescriptors',
  '__lookupGetter__',
  '__lookupSetter__',
  '__defineGetter__',
  '__defineSetter__',
  'prepareStackTrace',
  'mainModule',
  'getBuiltinModule',
  'dlopen',
  'execve',
];
