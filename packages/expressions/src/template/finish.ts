import { ExpressionError } from '../errors';
import { FunctionValue } from '../runtime/values/function-value';
import { IteratorValue } from '../runtime/values/iterator-value';
import { isArray, isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { ErrorValue } from '../runtime/thrown';
import { transformData } from '../runtime/data/transform-data';
import { VirtualObject } from '../runtime/values/virtual-object';
import { RegexValue } from '../regex/regex-value';

/**
 * The result of an expression as callers may have it: what exists within the language only becomes data, or is left
 * out of it.
 * @throws ExpressionError `function` for a function, `budget` for a result that is too large
 */
export function finish(run: Run, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof FunctionValue) {
    const message =
      value.name === 'DateTime' ? 'this is a DateTime, please access its methods' : 'this is a function, please add ()';
    throw new ExpressionError(message, { type: 'function' });
  }
  // Lists and objects of the scope hold nothing but data.
  const isOfScope = !run.hasMade && (isArray(value) || isPlainObject(value));
  return isOfScope ? value : transformData(value, (leaf) => asData(run, leaf, 0));
}

/** Virtual objects, iterators and collections within each other, before it is taken for an endless loop. */
const MAX_WRAPS = 20;

function asData(run: Run, value: unknown, wraps: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (wraps > MAX_WRAPS) return undefined;
  const inner = (data: unknown): unknown => transformData(data, (leaf) => asData(run, leaf, wraps + 1));
  if (value instanceof FunctionValue) return undefined;
  if (value instanceof VirtualObject) return inner(value.result(run));
  // As in JSON: neither has own fields.
  if (value instanceof IteratorValue || value instanceof RegexValue) return {};
  if (value instanceof ErrorValue) return { name: value.name, message: value.message };
  if (value instanceof Map) return new Map([...value].map(([key, entry]) => [inner(key), inner(entry)]));
  if (value instanceof Set) return new Set([...value].map(inner));
  return value;
}
