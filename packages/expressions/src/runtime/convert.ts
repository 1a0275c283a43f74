import { DateTime, Duration, Interval } from 'luxon';
import { LIMITS } from '../limits';
import { FunctionValue } from './values/function-value';
import { isArray, isPlainObject } from './kinds';
import { RegexValue } from '../regex/regex-value';
import type { Run } from './run';
import { overBudget } from './run';
import { ErrorValue, typeError } from './thrown';
import { VirtualObject } from './values/virtual-object';
import { dateText } from '../dates/date-text';

/** A value that is not an object. */
export type Primitive = string | number | boolean | null | undefined;

/** True for a value that is not an object. */
export function isPrimitive(value: unknown): value is Primitive {
  return (
    value === null ||
    (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint')
  );
}

/** JavaScript's ToPrimitive. Own `valueOf` and `toString` functions of an object are honoured. */
export function toPrimitive(run: Run, value: unknown, hint: 'string' | 'number' | 'default'): Primitive {
  if (isPrimitive(value)) return value;
  if (isPlainObject(value)) return plainToPrimitive(run, value, hint);
  if (hint !== 'string') {
    if (value instanceof Date) return hint === 'number' ? value.getTime() : dateText(value, run.scope.timezone);
    if (DateTime.isDateTime(value)) return value.valueOf();
    if (Duration.isDuration(value)) return value.valueOf();
  }
  return objectText(run, value, new Set());
}

/** JavaScript's ToString, except that what has no text form in it gives one that says nothing. */
export function toText(run: Run, value: unknown): string {
  return typeof value === 'string' ? value : textAt(run, value, new Set());
}

/** JavaScript's ToNumber. */
export function toNumber(run: Run, value: unknown): number {
  return typeof value === 'number' ? value : numberOf(run, toPrimitive(run, value, 'number'));
}

/** Cost of reading a number, for each digit. */
const DIGIT_NS = 20;

/** The number that a primitive value stands for. */
export function numberOf(run: Run, value: Primitive): number {
  countDigits(run, value);
  return Number(value);
}

/** Counts the reading of a number, if the value is a string. */
export function countDigits(run: Run, value: unknown): void {
  if (typeof value === 'string' && value.length > 100) run.read(value.length, DIGIT_NS);
}

/** JavaScript's ToIntegerOrInfinity; `absent` is the result for undefined. */
export function toInteger(run: Run, value: unknown, absent = 0): number {
  if (value === undefined) return absent;
  const number = Math.trunc(toNumber(run, value));
  return Number.isNaN(number) ? 0 : number;
}

/** JavaScript's ToPropertyKey, for strings and numbers. */
export function toKey(run: Run, value: unknown): string {
  return typeof value === 'string' ? value : String(toPrimitive(run, value, 'string'));
}

function textAt(run: Run, value: unknown, open: Set<unknown>): string {
  if (isPrimitive(value)) return String(value);
  if (isPlainObject(value)) return String(plainToPrimitive(run, value, 'string'));
  return objectText(run, value, open);
}

function plainToPrimitive(run: Run, value: Record<string, unknown>, hint: 'string' | 'number' | 'default'): Primitive {
  const order = hint === 'string' ? (['toString', 'valueOf'] as const) : (['valueOf', 'toString'] as const);
  for (const name of order) {
    const method = Object.hasOwn(value, name) ? value[name] : undefined;
    if (!(method instanceof FunctionValue)) {
      if (name === 'toString') return '[object Object]';
      continue;
    }
    const result = method.call(run, value, []);
    if (isPrimitive(result)) return result;
  }
  throw typeError('Cannot convert object to primitive value');
}

function objectText(run: Run, value: unknown, open: Set<unknown>): string {
  if (isArray(value)) return joinTexts(run, value, ',', open);
  if (value instanceof Date) return dateText(value, run.scope.timezone);
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value)) return String(value);
  if (value instanceof ErrorValue) return value.message === '' ? value.name : `${value.name}: ${value.message}`;
  if (value instanceof RegexValue) return `/${value.source}/${value.flags}`;
  if (value instanceof FunctionValue) return `function ${value.name}() { [code] }`;
  if (value instanceof VirtualObject) return value.text();
  if (value instanceof Map) return '[object Map]';
  if (value instanceof Set) return '[object Set]';
  return '[object Object]';
}

/**
 * Joins the strings of entries as `Array.prototype.join` does: null and undefined are empty, and so is a list within
 * itself.
 */
export function joinTexts(
  run: Run,
  entries: readonly unknown[],
  separator: string,
  open: Set<unknown> = new Set(),
): string {
  if (open.has(entries)) return '';
  if (open.size > LIMITS.dataDepth) throw overBudget(`joins arrays nested deeper than ${LIMITS.dataDepth} levels`);
  open.add(entries);
  run.work(entries.length);
  run.allowText(separator.length * Math.max(0, entries.length - 1));
  const texts: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const text =
      entry === null || entry === undefined ? '' : typeof entry === 'string' ? entry : textAt(run, entry, open);
    length += text.length;
    run.allowText(length + separator.length * texts.length, text.length);
    texts.push(text);
  }
  open.delete(entries);
  return texts.join(separator);
}
