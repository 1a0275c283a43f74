import { isTooDeep } from '@weft/service-kit/json-values';
import { compileExpression } from '../compiler/expression';
import { Unit } from '../compiler/context';
import type { Code } from '../compiler/frame';
import { ExpressionError } from '../errors';
import { LIMITS } from '../limits';
import { toText } from '../runtime/convert';
import { Run } from '../runtime/run';
import type { RunMode } from '../runtime/run';
import { ErrorValue, Escalate, Thrown } from '../runtime/thrown';
import type { ExpressionScope } from '../scope';
import { finish } from './finish';
import { fastPathOf, UNKNOWN } from './fast-path';
import { fastStrictOf } from './fast-strict';
import type { FastPath } from './fast-path';
import type { Part } from './split';

/** A part of a string, ready to run: text as it is, or code. */
type Piece =
  | string
  | {
      readonly code: Code;
      readonly fast: FastPath | undefined;
      /** The same for a strict template. */
      readonly fastStrict: FastPath | undefined;
    };

/** A string with `{{ }}` in it, compiled. Knows how it must run, once it has run. */
export class Template {
  private mode: RunMode = 'plain';

  private constructor(private readonly pieces: readonly Piece[]) {}

  /** Compiles the parts of a string. @throws ExpressionError `syntax` or `security` */
  static compile(parts: readonly Part[]): Template {
    return new Template(
      parts.map((part) => {
        if (part.kind === 'text') return part.text;
        const code = compileExpression(part.node, { unit: new Unit(part.source, part.offset), scope: undefined });
        return { code, fast: fastPathOf(part.node), fastStrict: fastStrictOf(part.node) };
      }),
    );
  }

  /** The value for one scope: of any type if one `{{ }}` is all there is, else text. @throws ExpressionError */
  evaluate(scope: ExpressionScope): unknown {
    const fast = this.evaluateFast(scope);
    return fast === UNKNOWN ? this.evaluateWith(scope, false) : fast;
  }

  /**
   * The same as a strict template: an exception of JavaScript and an unknown name fail it, and so does a part of a
   * longer text that is null or undefined. @throws ExpressionError
   */
  evaluateStrict(scope: ExpressionScope): unknown {
    const [only] = this.pieces;
    const isAlone = this.pieces.length === 1 && typeof only === 'object';
    const fast = isAlone && only.fastStrict !== undefined ? only.fastStrict(scope) : UNKNOWN;
    return fast === UNKNOWN ? this.evaluateWith(scope, true) : fast;
  }

  private evaluateWith(scope: ExpressionScope, isStrict: boolean): unknown {
    for (;;) {
      const run = new Run(scope, this.mode, isStrict);
      try {
        return finish(run, this.evaluateIn(run));
      } catch (error) {
        if (!(error instanceof Escalate)) throw asExpressionError(error);
        this.mode = error.to;
      }
    }
  }

  /** The value within an evaluation that is under way, out of its budget. */
  evaluateIn(run: Run): unknown {
    const [only, ...others] = this.pieces;
    if (others.length === 0 && only !== undefined && typeof only !== 'string') return evaluatePiece(run, only.code);
    let text = '';
    for (const piece of this.pieces) {
      const added = typeof piece === 'string' ? piece : pieceText(run, piece.code);
      run.allowText(text.length + added.length, added.length);
      text += added;
    }
    return text;
  }

  /**
   * The value if all of the text is plain paths that lead to data, or to strings and numbers where there is text around
   * them.
   */
  private evaluateFast(scope: ExpressionScope): unknown {
    const [only, ...others] = this.pieces;
    if (others.length === 0 && only !== undefined && typeof only !== 'string')
      return only.fast === undefined ? UNKNOWN : only.fast(scope);
    let text = '';
    for (const piece of this.pieces) {
      if (typeof piece === 'string') {
        text += piece;
        continue;
      }
      const value = piece.fast === undefined ? UNKNOWN : piece.fast(scope);
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') text += String(value);
      else if (value !== null && value !== undefined) return UNKNOWN;
    }
    // The other way knows what to say about a string that is too long.
    return text.length > LIMITS.textLength ? UNKNOWN : text;
  }
}

/** An exception of JavaScript makes the part undefined, unless the template is strict. */
function evaluatePiece(run: Run, code: Code): unknown {
  const { callDepth, stackLevels } = run;
  try {
    return code(run, undefined);
  } catch (error) {
    if (!(error instanceof Thrown) || run.isStrict) throw error;
    run.callDepth = callDepth;
    run.stackLevels = stackLevels;
    return undefined;
  }
}

function pieceText(run: Run, code: Code): string {
  return String(
    evaluatePiece(run, (inner, frame) => {
      const value = code(inner, frame);
      if (run.isStrict && (value === null || value === undefined))
        throw new Thrown(new ErrorValue('TypeError', `A part of the text is ${value}`));
      return value === null || value === undefined || Number.isNaN(value) ? '' : toText(inner, value);
    }) ?? '',
  );
}

function asExpressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof Thrown) return new ExpressionError(thrownText(error.value), { type: 'thrown' });
  if (isTooDeep(error))
    return new ExpressionError('The expression calls functions within functions too deeply', { type: 'budget' });
  const reason = error instanceof Error ? error.message : String(error);
  return new ExpressionError(`The expression could not be evaluated: ${reason}`, { type: 'internal', cause: error });
}

/** Message of an exception that ended a strict template. */
function thrownText(value: unknown): string {
  if (value instanceof ErrorValue) return value.message === '' ? value.name : value.message;
  return typeof value === 'string' ? value : 'The expression threw a value that is not an error';
}
