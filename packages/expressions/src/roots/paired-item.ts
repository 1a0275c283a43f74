import { ExpressionError } from '../errors';
import { typeError } from '../runtime/thrown';
import type { ExpressionScope, ScopeItem } from '../scope';

/**
 * The item of node `name` that led to an input item. Where branches meet, an item may have come by the other one: n8n
 * trips over that in JavaScript's own way, so that the part of the expression is undefined.
 */
export function pairedItemOf(scope: ExpressionScope, name: string, itemIndex: number): ScopeItem | undefined {
  try {
    return scope.pairedItem(name, itemIndex);
  } catch (error) {
    throw isWithoutOrigin(error) ? typeError(error.message) : error;
  }
}

/** True if the current item did not come from the node that was asked for. */
export function isWithoutOrigin(error: unknown): error is ExpressionError {
  return error instanceof ExpressionError && error.type === 'no_origin';
}
