/**
 * The kind of error, for code that reacts to it:
 * - `syntax`: the text is not an expression of the language, or uses syntax that is left out of it;
 * - `security`: the expression asked for something that no expression may reach;
 * - `budget`: a limit of `limits.ts` was reached;
 * - `no_execution_data`: a node that was asked for has not run;
 * - `no_node_data`: a node that was asked for has no such item, output or run;
 * - `node_not_found`: no node of the workflow has that name;
 * - `no_connection`: no path leads from a node whose paired item was asked for;
 * - `no_origin`: a path leads from a node whose paired item was asked for, but the current item did not come that way;
 * - `paired_item`: the item of another node that led here is unknown;
 * - `type`: a method was used on a value or with an argument it is not made for;
 * - `thrown`: an exception of JavaScript ended a strict template;
 * - `function`: the result is a function, so a call is missing;
 * - `internal`: the interpreter itself failed; the cause says why.
 */
export type ExpressionErrorType =
  | 'syntax'
  | 'security'
  | 'budget'
  | 'no_execution_data'
  | 'no_node_data'
  | 'node_not_found'
  | 'no_connection'
  | 'no_origin'
  | 'paired_item'
  | 'type'
  | 'thrown'
  | 'function'
  | 'internal';

/** Optional details of an `ExpressionError`. */
export interface ExpressionErrorDetails {
  readonly type: ExpressionErrorType;
  /** A second sentence for the author of the workflow: the cause, or what to do. */
  readonly description?: string;
  /** Offset in characters from the start of the parameter's text, its `=` counted. */
  readonly position?: number;
  /** The node that the expression asked for, where it is about another node. */
  readonly node?: string;
  readonly cause?: unknown;
}

/**
 * The one error that `evaluate` throws. An exception of the expression itself, or one that JavaScript throws for it
 * (reading a field of undefined, an invalid date, `throw`) never leaves it: the part is undefined then.
 */
export class ExpressionError extends Error {
  readonly type: ExpressionErrorType;
  readonly description?: string;
  readonly position?: number;
  readonly node?: string;

  constructor(message: string, details: ExpressionErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ExpressionError';
    this.type = details.type;
    if (details.description !== undefined) this.description = details.description;
    if (details.position !== undefined) this.position = details.position;
    if (details.node !== undefined) this.node = details.node;
  }
}

/** The error of an extension method that was called on a value, or with an argument, it is not made for. */
export function misuse(method: string, problem: string): ExpressionError {
  return new ExpressionError(`${method}(): ${problem}`, { type: 'type' });
}
