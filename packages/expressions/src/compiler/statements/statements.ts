import type {
  IfStatement,
  LabeledStatement,
  ModuleDeclaration,
  Statement,
  SwitchStatement,
  VariableDeclaration,
} from 'acorn';
import { Thrown } from '../../runtime/thrown';
import type { Run } from '../../runtime/run';
import { isSame } from '../../runtime/texts';
import { compileBlock, frameMaker } from './blocks';
import type { Context } from '../context';
import { StaticScope } from '../context';
import { declareBlock } from './declarations';
import { compileExpression } from '../expression';
import type { Frame } from '../frame';
import { compileFunction } from '../functions';
import { compileDoWhile, compileFor, compileForIn, compileForOf, compileWhile } from './loops';
import { compilePattern } from '../patterns';
import { compileTry } from './try';

/** A statement ended by `return`. */
export class Returned {
  constructor(readonly value: unknown) {}
}

/** A statement ended by `break` or `continue`, to the loop of that label or, without one, the nearest. */
export class Jump {
  constructor(
    readonly kind: 'break' | 'continue',
    readonly label: string | undefined,
  ) {}
}

/** Completion of a statement: undefined if the next one follows. */
export type Completion = undefined | Returned | Jump;

/** A statement, ready to run. */
export type Execute = (run: Run, frame: Frame | undefined) => Completion;

/**
 * Compiles statements that run one after the other in the existing frame. Functions are declared first.
 */
export function compileBody(body: readonly (Statement | ModuleDeclaration)[], context: Context): Execute {
  const functions = body.filter((statement) => statement.type === 'FunctionDeclaration');
  const hoisted = functions.map((node) => ({
    bind: compilePattern(node.id, 'declare', context),
    make: compileFunction(node, context),
  }));
  const statements = body
    .filter((statement) => statement.type !== 'FunctionDeclaration')
    .map((statement) => compileStatement(statement, context));
  return (run, frame) => {
    for (const { bind, make } of hoisted) bind(run, frame, make(run, frame));
    for (const statement of statements) {
      const end = statement(run, frame);
      if (end !== undefined) return end;
    }
    return undefined;
  };
}

/** Compiles one statement. `labels` are the names it can be left by. */
export function compileStatement(
  node: Statement | ModuleDeclaration,
  context: Context,
  labels: readonly string[] = [],
): Execute {
  return context.unit.nested(() => compileNode(node, context, labels));
}

function compileNode(node: Statement | ModuleDeclaration, context: Context, labels: readonly string[]): Execute {
  switch (node.type) {
    case 'ForStatement':
      return compileFor(node, context, labels);
    case 'ForOfStatement':
      return compileForOf(node, context, labels);
    case 'ForInStatement':
      return compileForIn(node, context, labels);
    case 'WhileStatement':
      return compileWhile(node, context, labels);
    case 'DoWhileStatement':
      return compileDoWhile(node, context, labels);
    case 'LabeledStatement':
      return compileLabeled(node, context, labels);
    case 'SwitchStatement':
      return compileSwitch(node, context);
    case 'TryStatement':
      return compileTry(node, context);
    case 'BlockStatement':
      return compileBlock(node.body, context);
    case 'IfStatement':
      return compileIf(node, context);
    default:
      return compileSimple(node, context);
  }
}

function compileSimple(node: Statement | ModuleDeclaration, context: Context): Execute {
  switch (node.type) {
    case 'ExpressionStatement': {
      const code = compileExpression(node.expression, context);
      return (run, frame) => void code(run, frame);
    }
    case 'ReturnStatement': {
      const code = node.argument ? compileExpression(node.argument, context) : undefined;
      return (run, frame) => new Returned(code?.(run, frame));
    }
    case 'ThrowStatement': {
      const code = compileExpression(node.argument, context);
      return (run, frame) => {
        throw new Thrown(code(run, frame));
      };
    }
    case 'BreakStatement':
    case 'ContinueStatement': {
      const jump = new Jump(node.type === 'BreakStatement' ? 'break' : 'continue', node.label?.name);
      return () => jump;
    }
    case 'VariableDeclaration':
      return compileVariables(node, context);
    case 'EmptyStatement':
    case 'DebuggerStatement':
      return () => undefined;
    default:
      throw refused(node, context);
  }
}

function refused(node: Statement | ModuleDeclaration, context: Context): Error {
  if (node.type === 'WithStatement') return context.unit.refuse('with is', node.start);
  if (node.type === 'ClassDeclaration')
    return context.unit.refuse('Classes are', node.start, 'Use a Code node for them.');
  return context.unit.refuse(`${node.type} is`, node.start);
}

/**
 * Compiles `var`, `let` and `const`. A `let` without a value becomes undefined when it is reached, a `var` stays what
 * it is.
 */
export function compileVariables(node: VariableDeclaration, context: Context): Execute {
  const declarations = node.declarations.flatMap(({ id, init }) => {
    if (!init && node.kind === 'var') return [];
    const bind = compilePattern(id, 'declare', context);
    const value = init ? compileExpression(init, context) : (): undefined => undefined;
    return [{ bind, value }];
  });
  return (run, frame) => {
    for (const { bind, value } of declarations) bind(run, frame, value(run, frame));
    return undefined;
  };
}

function compileIf(node: IfStatement, context: Context): Execute {
  const test = compileExpression(node.test, context);
  const consequent = compileStatement(node.consequent, context);
  const alternate = node.alternate ? compileStatement(node.alternate, context) : undefined;
  return (run, frame) => (test(run, frame) ? consequent(run, frame) : alternate?.(run, frame));
}

function compileLabeled(node: LabeledStatement, context: Context, labels: readonly string[]): Execute {
  const { name } = node.label;
  const body = compileStatement(node.body, context, [...labels, name]);
  return (run, frame) => {
    const end = body(run, frame);
    return end instanceof Jump && end.kind === 'break' && end.label === name ? undefined : end;
  };
}

function compileSwitch(node: SwitchStatement, context: Context): Execute {
  const subject = compileExpression(node.discriminant, context);
  const scope = new StaticScope(context.scope);
  for (const { consequent } of node.cases) declareBlock(consequent, scope);
  const inner = { ...context, scope };
  const open = frameMaker(scope);
  const cases = node.cases.map(({ test, consequent }) => ({
    test: test ? compileExpression(test, inner) : undefined,
    body: compileBody(consequent, inner),
  }));
  return (run, frame) => {
    const value = subject(run, frame);
    const own = open(frame);
    const matching = cases.findIndex(({ test }) => test !== undefined && isSame(run, test(run, own), value));
    const start = matching >= 0 ? matching : cases.findIndex(({ test }) => test === undefined);
    for (const { body } of start >= 0 ? cases.slice(start) : []) {
      const end = body(run, own);
      if (end instanceof Jump && end.kind === 'break' && end.label === undefined) return undefined;
      if (end !== undefined) return end;
    }
    return undefined;
  };
}
