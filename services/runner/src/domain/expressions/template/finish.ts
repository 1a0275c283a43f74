import { ExpressionError } from '../errors';
import { FunctionValue } from '../runtime/function-value';
import { IteratorValue } from '../runtime/iterator-value';
import type { Run } from '../runtime/run';
import { VirtualObject } from '../runtime/virtual-object';

/**
 * The result of an expression as callers may have it: objects that exist within the language only become data.
 * @throws ExpressionError `function` for a function
 */
export function finish(run: Run, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof FunctionValue) {
    const message = value.name === 'DateTime' ? 'this is a DateTime, please access its methods' : 'this is a function, please add ()';
    throw new ExpressionError(message, { type: 'function' });
  }
  if (value instanceof VirtualObject) return value.result(run);
  return value instanceof IteratorValue ? [...value.rest()] : value;
}
