import { ExpressionError } from '../../errors';

/** The error of an extension method that was called on a value, or with an argument, it is not made for. */
export function misuse(method: string, problem: string): ExpressionError {
  return new ExpressionError(`${method}(): ${problem}`, { type: 'type' });
}
