import type { ChainExpression, MemberExpression } from 'acorn';
import { toKey } from '../runtime/convert';
import { isArray } from '../runtime/kinds';
import { checkedKey, readMember } from '../runtime/members';
import { isForbiddenName } from '../runtime/names';
import type { Run } from '../runtime/run';
import type { Context } from './context';
import { compileExpression } from './expression';
import type { AnyExpression } from './expression';
import type { Code, Frame } from './frame';

/** Value of a chain of `?.` from the link on that found nothing. Never seen outside of the chain. */
export const SHORT_CIRCUIT: unique symbol = Symbol('short circuit');

/**
 * The name of a member that is written in the text; undefined if it is computed.
 * @throws ExpressionError `security` for refused names
 */
export function staticKey(node: AnyExpression, computed: boolean, context: Context): string | undefined {
  const key = writtenKey(node, computed);
  if (key !== undefined && isForbiddenName(key)) throw context.unit.forbid(key, node.start);
  return key;
}

function writtenKey(node: AnyExpression, computed: boolean): string | undefined {
  if (!computed && node.type === 'Identifier') return node.name;
  if (node.type === 'Literal' && (typeof node.value === 'string' || typeof node.value === 'number'))
    return String(node.value);
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** A member's name, worked out at run time. */
export type KeyCode = (run: Run, frame: Frame | undefined) => string;

/** Compiles the name of a member, written or computed. */
export function compileKey(node: AnyExpression, computed: boolean, context: Context): KeyCode {
  const key = staticKey(node, computed, context);
  if (key !== undefined) return () => key;
  const code = compileExpression(node, context);
  return (run, frame) => checkedKey(toKey(run, code(run, frame)));
}

/** Compiles `object.key`, `object[key]` and `object?.key`. */
export function compileMember(node: MemberExpression, context: Context): Code {
  const object = compileExpression(node.object, context);
  const key = staticKey(node.property, node.computed, context);
  const read = key !== undefined ? readStatic(key) : readComputed(compileExpression(node.property, context));
  const isInChain = node.optional || isChainLink(node.object);
  if (!isInChain) return (run, frame) => read(run, frame, object(run, frame));
  const { optional } = node;
  return (run, frame) => {
    const target = object(run, frame);
    if (target === SHORT_CIRCUIT || (optional && (target === null || target === undefined))) return SHORT_CIRCUIT;
    return read(run, frame, target);
  };
}

type Reader = (run: Run, frame: Frame | undefined, object: unknown) => unknown;

function readStatic(key: string): Reader {
  return (run, _frame, object) => readMember(run, object, key);
}

function readComputed(code: Code): Reader {
  return (run, frame, object) => {
    const key = code(run, frame);
    if (typeof key === 'number' && isArray(object) && key >= 0 && key < object.length) return object[key];
    return readMember(run, object, checkedKey(toKey(run, key)));
  };
}

/** True for a link of a chain that may have been cut short before it. */
export function isChainLink(node: AnyExpression): boolean {
  if (node.type === 'MemberExpression') return node.optional || isChainLink(node.object);
  return node.type === 'CallExpression' && (node.optional || isChainLink(node.callee));
}

/** Compiles a whole chain of `?.`: undefined if it was cut short. */
export function compileChain(node: ChainExpression, context: Context): Code {
  const code = compileExpression(node.expression, context);
  return (run, frame) => {
    const value = code(run, frame);
    return value === SHORT_CIRCUIT ? undefined : value;
  };
}
