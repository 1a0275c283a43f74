import type { DoWhileStatement, ForInStatement, ForOfStatement, ForStatement, WhileStatement } from 'acorn';
import { toText } from '../../runtime/convert';
import { iterate } from '../../runtime/iterate';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { frameMaker } from './blocks';
import { StaticScope } from '../context';
import type { Context } from '../context';
import { declareLexical } from './declarations';
import { compileExpression } from '../expression';
import { Frame } from '../frame';
import type { Code } from '../frame';
import { compilePattern } from '../patterns';
import type { Binder } from '../patterns';
import { compileStatement, compileVariables, Jump } from './statements';
import type { Completion, Execute } from './statements';

/** Effect of the end of one round on the loop: continue, or end with that completion. */
type WriteOutcome = 'next' | { readonly end: Completion };

function outcome(end: Completion, labels: readonly string[]): WriteOutcome {
  if (end === undefined) return 'next';
  if (!(end instanceof Jump)) return { end };
  const isOurs = end.label === undefined || labels.includes(end.label);
  if (!isOurs) return { end };
  return end.kind === 'continue' ? 'next' : { end: undefined };
}

/** Runs rounds until `round` ends the loop. Each takes a step of the body's weight. */
function repeat(run: Run, weight: number, labels: readonly string[], round: () => Completion | 'done'): Completion {
  for (;;) {
    run.step(weight);
    const end = round();
    if (end === 'done') return undefined;
    const next = outcome(end, labels);
    if (next !== 'next') return next.end;
  }
}

/** Compiles `while`. */
export function compileWhile(node: WhileStatement, context: Context, labels: readonly string[]): Execute {
  const { result, weight } = context.unit.measured(() => ({
    test: compileExpression(node.test, context),
    body: compileStatement(node.body, context),
  }));
  return (run, frame) =>
    repeat(run, weight, labels, () => (result.test(run, frame) ? result.body(run, frame) : 'done'));
}

/** Compiles `do … while`. */
export function compileDoWhile(node: DoWhileStatement, context: Context, labels: readonly string[]): Execute {
  const { result, weight } = context.unit.measured(() => ({
    test: compileExpression(node.test, context),
    body: compileStatement(node.body, context),
  }));
  return (run, frame) => {
    let isFirst = true;
    return repeat(run, weight, labels, () => {
      if (!isFirst && !result.test(run, frame)) return 'done';
      isFirst = false;
      return result.body(run, frame);
    });
  };
}

/** Compiles `for (init; test; update)`. Variables of `let` are new in each round, as functions made in it see them. */
export function compileFor(node: ForStatement, context: Context, labels: readonly string[]): Execute {
  const scope = new StaticScope(context.scope);
  if (node.init?.type === 'VariableDeclaration') declareLexical(node.init, scope);
  const inner = { ...context, scope };
  const open = frameMaker(scope);
  const init = compileInit(node.init, inner);
  const { result, weight } = context.unit.measured(() => ({
    test: node.test ? compileExpression(node.test, inner) : undefined,
    update: node.update ? compileExpression(node.update, inner) : undefined,
    body: compileStatement(node.body, inner),
  }));
  const { test, update, body } = result;
  return (run, outer) => {
    let frame = open(outer);
    init(run, frame);
    let isFirst = true;
    return repeat(run, weight, labels, () => {
      if (!isFirst) {
        if (frame !== undefined && scope.size > 0) frame = new Frame(outer, [...frame.slots]);
        update?.(run, frame);
      }
      isFirst = false;
      if (test !== undefined && !test(run, frame)) return 'done';
      return body(run, frame);
    });
  };
}

function compileInit(node: ForStatement['init'], context: Context): Execute {
  if (!node) return () => undefined;
  if (node.type === 'VariableDeclaration') return compileVariables(node, context);
  const code = compileExpression(node, context);
  return (run, frame) => void code(run, frame);
}

/** Compiles `for (… of …)`. */
export function compileForOf(node: ForOfStatement, context: Context, labels: readonly string[]): Execute {
  if (node.await) throw context.unit.refuse('for await is', node.start);
  return compileEach(node, context, labels, iterate);
}

/** Compiles `for (… in …)`: own keys only. */
export function compileForIn(node: ForInStatement, context: Context, labels: readonly string[]): Execute {
  return compileEach(node, context, labels, (run, value) => {
    const keys =
      isArray(value) || isPlainObject(value)
        ? Object.keys(value)
        : typeof value === 'string'
          ? Object.keys([...toText(run, value)])
          : [];
    run.work(keys.length);
    return keys;
  });
}

function compileEach(
  node: ForOfStatement | ForInStatement,
  context: Context,
  labels: readonly string[],
  valuesOf: (run: Run, value: unknown) => readonly unknown[],
): Execute {
  const subject: Code = compileExpression(node.right, context);
  const scope = new StaticScope(context.scope);
  if (node.left.type === 'VariableDeclaration') declareLexical(node.left, scope);
  const inner = { ...context, scope };
  const open = frameMaker(scope);
  const { result, weight } = context.unit.measured(() => ({
    bind: compileHead(node.left, inner),
    body: compileStatement(node.body, inner),
  }));
  return (run, outer) => {
    const values = valuesOf(run, subject(run, outer));
    let index = 0;
    return repeat(run, weight, labels, () => {
      if (index >= values.length) return 'done';
      const frame = open(outer);
      result.bind(run, frame, values[index]);
      index += 1;
      return result.body(run, frame);
    });
  };
}

function compileHead(node: ForOfStatement['left'], context: Context): Binder {
  if (node.type !== 'VariableDeclaration') return compilePattern(node, 'assign', context);
  const [declaration] = node.declarations;
  if (declaration === undefined) throw context.unit.refuse('A loop without a variable is', node.start);
  return compilePattern(declaration.id, 'declare', context);
}
