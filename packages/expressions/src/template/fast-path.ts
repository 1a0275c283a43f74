import type { CallExpression, Expression, MemberExpression } from 'acorn';
import type { AnyExpression } from '../compiler/expression';
import { isArray, isPlainObject } from '../runtime/kinds';
import { isForbiddenName } from '../runtime/names';
import type { ExpressionScope, ScopeItem } from '../scope';
import { itemOfNode } from '../roots/nodes';
import { isWithoutOrigin } from '../roots/paired-item';

/**
 * Says that a path leads through something the fast path does not know; the compiled expression is to be run instead.
 */
export const UNKNOWN: unique symbol = Symbol('unknown');

/** Reads a plain path off the scope; `UNKNOWN` if it cannot decide. */
export type FastPath = (scope: ExpressionScope) => unknown;

type Start = (scope: ExpressionScope) => unknown;

/** Names of members that objects and arrays have in addition to their own fields: not for the fast path. */
const INHERITED: ReadonlySet<string> = new Set([
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/**
 * The fast form of an expression that only follows fields: `$json.a.b`, `$json["a"]`, `$('X').item.json.a`,
 * `$('X').first().json.a`, `$node["X"].json.a`. Undefined for any other.
 */
export function fastPathOf(node: Expression): FastPath | undefined {
  const keys: string[] = [];
  let rest: AnyExpression = node.type === 'ChainExpression' ? node.expression : node;
  for (;;) {
    const start = startOf(rest);
    if (start !== undefined) return keys.every(isPlainName) ? follow(start, keys.reverse()) : undefined;
    const key = rest.type === 'MemberExpression' ? keyOf(rest) : undefined;
    if (rest.type !== 'MemberExpression' || key === undefined) return undefined;
    keys.push(key);
    rest = rest.object;
  }
}

/** True for a name that objects and lists only have as a field. */
export function isPlainName(key: string): boolean {
  return !isForbiddenName(key) && !INHERITED.has(key);
}

/** The name of a member; undefined if an expression computes it. */
export function keyOf(node: MemberExpression): string | undefined {
  const { property, computed } = node;
  if (!computed) return property.type === 'Identifier' ? property.name : undefined;
  if (property.type !== 'Literal') return undefined;
  return typeof property.value === 'string' || typeof property.value === 'number' ? String(property.value) : undefined;
}

function follow(start: Start, keys: readonly string[]): FastPath {
  return (scope) => {
    let value = start(scope);
    for (const key of keys) {
      // Reading a field of a missing one throws, which makes the whole expression undefined.
      if (value === null || value === undefined) return undefined;
      value = fieldOf(value, key);
      if (value === UNKNOWN) return UNKNOWN;
    }
    return value;
  };
}

/** A field of a plain object, or an entry of a list. */
export function fieldOf(value: unknown, key: string): unknown {
  if (isPlainObject(value)) return Object.hasOwn(value, key) ? value[key] : undefined;
  if (isArray(value)) return key === 'length' ? value.length : entryOf(value, key);
  return UNKNOWN;
}

function entryOf(list: readonly unknown[], key: string): unknown {
  const index = Number(key);
  return Number.isInteger(index) && String(index) === key ? list[index] : UNKNOWN;
}

function startOf(node: AnyExpression): Start | undefined {
  if (node.type === 'Identifier') return node.name === '$json' ? (scope) => scope.item?.json ?? {} : undefined;
  if (node.type === 'CallExpression') return startOfCall(node);
  if (node.type !== 'MemberExpression') return undefined;
  const key = keyOf(node);
  if (node.object.type === 'CallExpression' && key === 'item') return startOfItem(node.object);
  const isNodes =
    node.object.type === 'MemberExpression' &&
    node.object.object.type === 'Identifier' &&
    node.object.object.name === '$node';
  if (!isNodes || node.object.type !== 'MemberExpression' || (key !== 'json' && key !== 'data')) return undefined;
  const name = keyOf(node.object);
  return name === undefined ? undefined : (scope) => (scope.hasNode(name) ? itemOfNode(scope, name).json : UNKNOWN);
}

/** `$('X').item` */
function startOfItem(node: CallExpression): Start | undefined {
  const name = namedNode(node);
  if (name === undefined) return undefined;
  return (scope) => (scope.hasNode(name) ? itemOrNothing(scope, name) : UNKNOWN);
}

function itemOrNothing(scope: ExpressionScope, name: string): unknown {
  try {
    return scope.pairedItem(name, scope.itemIndex);
  } catch (error) {
    if (isWithoutOrigin(error)) return undefined;
    throw error;
  }
}

/** `$('X').first()` and `$('X').last()` */
function startOfCall(node: CallExpression): Start | undefined {
  const { callee } = node;
  if (node.arguments.length > 0 || callee.type !== 'MemberExpression' || callee.object.type !== 'CallExpression')
    return undefined;
  const name = namedNode(callee.object);
  const key = keyOf(callee);
  if (name === undefined || (key !== 'first' && key !== 'last')) return undefined;
  return (scope) => (scope.hasNode(name) ? asValue(scope.nodeOutput(name).at(key === 'first' ? 0 : -1)) : UNKNOWN);
}

function asValue(item: ScopeItem | undefined): unknown {
  return item;
}

function namedNode(node: CallExpression): string | undefined {
  const [argument, ...others] = node.arguments;
  if (node.callee.type !== 'Identifier' || node.callee.name !== '$' || others.length > 0) return undefined;
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}
