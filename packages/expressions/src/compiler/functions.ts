import type {
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  AnonymousFunctionDeclaration,
  Pattern,
} from 'acorn';
import { FunctionValue } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { StaticScope } from './context';
import type { Context } from './context';
import { declareBlock, declarePattern, declareVars } from './statements/declarations';
import { compileExpression } from './expression';
import { Frame } from './frame';
import type { Code } from './frame';
import { compilePattern } from './patterns';
import type { Binder } from './patterns';
import { compileBody, Returned } from './statements/statements';
import type { Execute } from './statements/statements';

/** Any way to write a function. */
export type FunctionNode =
  FunctionExpression | ArrowFunctionExpression | FunctionDeclaration | AnonymousFunctionDeclaration;

/** A function as it is compiled: everything but the variables around it. */
interface FunctionCode {
  readonly name: string;
  readonly length: number;
  /** The variables of a call as it begins. */
  readonly slots: readonly unknown[];
  readonly thisSlot: number | undefined;
  readonly argumentsSlot: number | undefined;
  readonly parameters: readonly { readonly isRest: boolean; readonly bind: Binder }[];
  readonly run: Code;
  /** Nodes of code in it, and levels it puts on the stack. */
  readonly weight: number;
  readonly levels: number;
}

/** Stack levels of a call, in addition to the function's code. */
const CALL_LEVELS = 4;

/** A function of the expression, with the variables that were around it. */
class Closure extends FunctionValue {
  constructor(
    private readonly code: FunctionCode,
    private readonly outer: Frame | undefined,
  ) {
    super();
  }

  get name(): string {
    return this.code.name;
  }

  get length(): number {
    return this.code.length;
  }

  override call(run: Run, self: unknown, args: Arguments): unknown {
    const { code } = this;
    run.step(code.weight);
    run.enterCall(code.levels);
    const frame = code.slots.length === 0 ? this.outer : this.newFrame(run, self, args);
    for (let index = 0; index < code.parameters.length; index += 1) {
      const parameter = code.parameters[index];
      parameter?.bind(run, frame, parameter.isRest ? run.made(args.slice(index)) : args[index]);
    }
    const result = code.run(run, frame);
    run.leaveCall(code.levels);
    return result;
  }

  private newFrame(run: Run, self: unknown, args: Arguments): Frame {
    const { code } = this;
    const slots = code.slots.slice();
    if (code.thisSlot !== undefined) slots[code.thisSlot] = self;
    if (code.argumentsSlot !== undefined) slots[code.argumentsSlot] = run.made([...args]);
    return new Frame(this.outer, slots);
  }
}

/** Compiles a function to code that makes it. */
export function compileFunction(node: FunctionNode, context: Context): Code {
  if (node.async)
    throw context.unit.refuse(
      'Async functions are',
      node.start,
      'Expressions give their result at once. Use a Code node.',
    );
  if (node.generator) throw context.unit.refuse('Generators are', node.start, 'Use a Code node.');
  const isNamedExpression = node.type === 'FunctionExpression' && node.id !== null && node.id !== undefined;
  if (!isNamedExpression) {
    const code = compileCode(node, context);
    return (_run, frame) => new Closure(code, frame);
  }
  // The name of a function expression is a separate variable, around the function.
  const scope = new StaticScope(context.scope);
  const slot = scope.declare(node.id?.name ?? '', 'var');
  const code = compileCode(node, { ...context, scope });
  return (_run, frame) => {
    const own = new Frame(frame, []);
    const closure = new Closure(code, own);
    own.slots[slot] = closure;
    return closure;
  };
}

function compileCode(node: FunctionNode, context: Context): FunctionCode {
  const isArrow = node.type === 'ArrowFunctionExpression';
  const scope = new StaticScope(context.scope, !isArrow);
  const inner: Context = { ...context, scope };
  const thisSlot = isArrow ? undefined : scope.declare('this', 'var');
  const mentionsArguments = !isArrow && context.unit.source.slice(node.start, node.end).includes('arguments');
  const argumentsSlot = mentionsArguments ? scope.declare('arguments', 'var') : undefined;
  for (const parameter of node.params) declarePattern(parameter, 'var', scope);
  if (node.body.type === 'BlockStatement') {
    declareVars(node.body.body, scope);
    declareBlock(node.body.body, scope);
  }
  const { result, levels, weight } = context.unit.measured(() => ({
    parameters: node.params.map((parameter) => compileParameter(parameter, inner)),
    run: compileFunctionBody(node, inner),
  }));
  return {
    ...result,
    name: 'id' in node && node.id ? node.id.name : '',
    length: node.params.findIndex((parameter) => parameter.type !== 'Identifier') === -1 ? node.params.length : 0,
    slots: scope.initialSlots(),
    thisSlot,
    argumentsSlot,
    weight,
    levels: levels + CALL_LEVELS,
  };
}

function compileParameter(node: Pattern, context: Context): { isRest: boolean; bind: Binder } {
  return { isRest: node.type === 'RestElement', bind: compilePattern(node, 'declare', context) };
}

function compileFunctionBody(node: FunctionNode, context: Context): Code {
  if (node.body.type !== 'BlockStatement') return compileExpression(node.body, context);
  const body: Execute = compileBody(node.body.body, context);
  return (run, frame) => {
    const end = body(run, frame);
    return end instanceof Returned ? end.value : undefined;
  };
}
