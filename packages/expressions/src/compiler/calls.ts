import { ExpressionError } from '../errors';
import type {
  CallExpression,
  MemberExpression,
  NewExpression,
  SpreadElement,
  Expression,
  TaggedTemplateExpression,
} from 'acorn';
import { FunctionValue } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { toKey } from '../runtime/convert';
import { callMember, checkedKey, isCallableMember } from '../runtime/members';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { nodeOf } from '../roots/node';
import type { Context } from './context';
import { compileExpression } from './expression';
import type { AnyExpression } from './expression';
import type { Code, Frame } from './frame';
import { collect } from './literals';
import { isChainLink, SHORT_CIRCUIT, staticKey } from './members';

type ArgumentsCode = (run: Run, frame: Frame | undefined) => Arguments;

/** Compiles a call of a function, a method, or one of the roots that are written as calls. */
export function compileCall(node: CallExpression, context: Context): Code {
  if (node.callee.type === 'MemberExpression') return compileMethodCall(node, node.callee, context);
  if (node.callee.type === 'Identifier' && context.scope?.find(node.callee.name) === undefined) {
    if (node.callee.name === '$if') return compileIf(node, context);
    if (node.callee.name === '$') return compileNodeCall(node, context);
  }
  const callee = compileExpression(node.callee, context);
  const args = compileArguments(node.arguments, context);
  const name = nameOf(node.callee);
  const isInChain = node.optional || isChainLink(node.callee);
  return (run, frame) => {
    const target = callee(run, frame);
    if (target instanceof FunctionValue) return target.call(run, undefined, args(run, frame));
    if (isInChain && (target === SHORT_CIRCUIT || (node.optional && (target === null || target === undefined))))
      return SHORT_CIRCUIT;
    throw typeError(`${name} is not a function`);
  };
}

/** Compiles `$if(test, yes, no)`: only the branch that is taken is evaluated. Without `no` it gives false. */
function compileIf(node: CallExpression, context: Context): Code {
  if (node.arguments.some((argument) => argument.type === 'SpreadElement'))
    throw context.unit.refuse('Spreading into $if is', node.start);
  const [test, yes, no] = node.arguments.map((argument) => compileExpression(argument, context));
  if (test === undefined || yes === undefined)
    throw new ExpressionError('invalid syntax', {
      type: 'syntax',
      position: context.unit.position(node.start),
      description: '$if needs a condition and a value: $if(condition, value, other value).',
    });
  return (run, frame) => (test(run, frame) ? yes(run, frame) : no === undefined ? false : no(run, frame));
}

function compileNodeCall(node: CallExpression, context: Context): Code {
  context.unit.freeNames?.add('$');
  const args = compileArguments(node.arguments, context);
  return (run, frame) => nodeOf(run, args(run, frame)[0]);
}

function compileMethodCall(node: CallExpression, callee: MemberExpression, context: Context): Code {
  const object = compileExpression(callee.object, context);
  const key = staticKey(callee.property, callee.computed, context);
  const computed = key === undefined ? compileExpression(callee.property, context) : undefined;
  const args = compileArguments(node.arguments, context);
  const isInChain = node.optional || isChainLink(callee);
  const nameAt = (run: Run, frame: Frame | undefined): string => key ?? checkedKey(toKey(run, computed?.(run, frame)));
  if (!isInChain) return (run, frame) => callMember(run, object(run, frame), nameAt(run, frame), args(run, frame));
  return (run, frame) => {
    const target = object(run, frame);
    if (target === SHORT_CIRCUIT || (callee.optional && (target === null || target === undefined)))
      return SHORT_CIRCUIT;
    const name = nameAt(run, frame);
    if (node.optional && !isCallableMember(run, target, name)) return SHORT_CIRCUIT;
    return callMember(run, target, name, args(run, frame));
  };
}

function compileArguments(list: readonly (Expression | SpreadElement)[], context: Context): ArgumentsCode {
  const parts = list.map((argument) =>
    argument.type === 'SpreadElement'
      ? { spread: true, code: compileExpression(argument.argument, context) }
      : { spread: false, code: compileExpression(argument, context) },
  );
  if (parts.some((part) => part.spread)) return (run, frame) => collect(run, frame, parts);
  const codes = parts.map((part) => part.code);
  const [only, ...others] = codes;
  if (only === undefined) return () => [];
  if (others.length === 0) return (run, frame) => [only(run, frame)];
  return (run, frame) => codes.map((code) => code(run, frame));
}

/** Compiles `new Type(...)`, for the types that expressions may make. */
export function compileNew(node: NewExpression, context: Context): Code {
  const callee = compileExpression(node.callee, context);
  const args = compileArguments(node.arguments, context);
  const name = nameOf(node.callee);
  return (run, frame) => {
    const target = callee(run, frame);
    if (!(target instanceof FunctionValue)) throw typeError(`${name} is not a constructor`);
    return target.construct(run, args(run, frame));
  };
}

/** Compiles a tagged template: the tag gets the strings, with `raw`, and the values. */
export function compileTagged(node: TaggedTemplateExpression, context: Context): Code {
  const tag = compileExpression(node.tag, context);
  const cooked = node.quasi.quasis.map((quasi) => quasi.value.cooked ?? undefined);
  const raw = node.quasi.quasis.map((quasi) => quasi.value.raw);
  const values = node.quasi.expressions.map((expression) => compileExpression(expression, context));
  return (run, frame) => {
    const target = tag(run, frame);
    if (!(target instanceof FunctionValue)) throw typeError(`${nameOf(node.tag)} is not a function`);
    const texts = run.made(Object.assign<unknown[], { raw: unknown[] }>([...cooked], { raw: run.made([...raw]) }));
    return target.call(run, undefined, [texts, ...values.map((value) => value(run, frame))]);
  };
}

function nameOf(node: AnyExpression): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : 'value';
}
