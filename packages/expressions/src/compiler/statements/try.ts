import type { TryStatement } from 'acorn';
import { ExpressionError } from '../../errors';
import type { Run } from '../../runtime/run';
import { ErrorValue, Thrown } from '../../runtime/thrown';
import { compileBlock, frameMaker } from './blocks';
import { StaticScope } from '../context';
import type { Context } from '../context';
import { declarePattern } from './declarations';
import type { Frame } from '../frame';
import { compilePattern } from '../patterns';
import type { Completion, Execute } from './statements';

type Handler = (run: Run, frame: Frame | undefined, thrown: unknown) => Completion;

/**
 * Compiles `try`, `catch` and `finally`. Only exceptions of the expression itself, and errors about data, can be
 * caught: what ends an evaluation for its budget or for security passes, and `finally` does not run then.
 */
export function compileTry(node: TryStatement, context: Context): Execute {
  const block = compileBlock(node.block.body, context);
  const handler = node.handler ? compileHandler(node.handler, context) : undefined;
  const finalizer = node.finalizer ? compileBlock(node.finalizer.body, context) : undefined;
  const guarded: Execute =
    handler === undefined
      ? block
      : (run, frame) =>
          attempt(
            run,
            () => block(run, frame),
            (value) => handler(run, frame, value),
          );
  if (finalizer === undefined) return guarded;
  return (run, frame) => {
    let failure: Thrown | undefined;
    const end = attempt(
      run,
      () => guarded(run, frame),
      (value) => {
        failure = new Thrown(value);
        return undefined;
      },
    );
    const last = finalizer(run, frame);
    if (last !== undefined) return last;
    if (failure !== undefined) throw failure;
    return end;
  };
}

function attempt(run: Run, body: () => Completion, onThrown: (value: unknown) => Completion): Completion {
  const { callDepth, stackLevels } = run;
  try {
    return body();
  } catch (error) {
    const value = catchable(error);
    run.callDepth = callDepth;
    run.stackLevels = stackLevels;
    return onThrown(value);
  }
}

/** The value that `catch` gets. Rethrows what cannot be caught. */
function catchable(error: unknown): unknown {
  if (error instanceof Thrown) return error.value;
  if (error instanceof ExpressionError && error.type !== 'budget' && error.type !== 'security') {
    return new ErrorValue(error.name, error.message, error);
  }
  throw error;
}

function compileHandler(node: NonNullable<TryStatement['handler']>, context: Context): Handler {
  const scope = new StaticScope(context.scope);
  if (!node.param) {
    const body = compileBlock(node.body.body, context);
    return (run, frame) => body(run, frame);
  }
  declarePattern(node.param, 'var', scope);
  const inner = { ...context, scope };
  const open = frameMaker(scope);
  const bind = compilePattern(node.param, 'declare', inner);
  const body = compileBlock(node.body.body, inner);
  return (run, frame, thrown) => {
    const own = open(frame);
    bind(run, own, thrown);
    return body(run, own);
  };
}
