import type { CallExpression, Expression } from 'acorn';
import type { AnyExpression } from '../compiler/expression';
import { isExtraName } from '../compiler/identifiers';
import { encodeSegment, isSegment } from '../globals/template-functions';
import type { ExpressionScope } from '../scope';
import { fieldOf, isPlainName, keyOf, UNKNOWN, type FastPath } from './fast-path';

/**
 * The fast form of an expression of a strict template that only reads fields, compares them, chooses between them and
 * joins short strings: `$p.a`, `o.text || undefined`, `$p.select === 'user' ? user : $p.channel`,
 * `'/users/' + $fn.path($p.id)`. It makes nothing else and repeats nothing, so no budget can run out. It gives
 * `UNKNOWN` where a name or the owner of a field is missing, which fails such a template with a message of the
 * interpreter. Undefined for any other expression.
 */
export function fastStrictOf(node: Expression): FastPath | undefined {
  switch (node.type) {
    case 'Literal':
      return isScalar(node.value) ? () => node.value : undefined;
    case 'Identifier':
    case 'MemberExpression':
      return pathOf(node);
    case 'ChainExpression':
      return pathOf(node.expression);
    case 'UnaryExpression': {
      const inner = node.operator === '!' ? fastStrictOf(node.argument) : undefined;
      return inner && ((scope) => through(inner(scope), (value) => !value));
    }
    case 'BinaryExpression':
      if (node.left.type === 'PrivateIdentifier') return undefined;
      if (node.operator === '+') return sum(fastStrictOf(node.left), fastStrictOf(node.right));
      return comparison(node.operator, fastStrictOf(node.left), fastStrictOf(node.right));
    case 'LogicalExpression':
      return choice(node.operator, fastStrictOf(node.left), fastStrictOf(node.right));
    case 'ConditionalExpression': {
      const test = fastStrictOf(node.test);
      const [then, otherwise] = [fastStrictOf(node.consequent), fastStrictOf(node.alternate)];
      if (test === undefined || then === undefined || otherwise === undefined) return undefined;
      return (scope) => through(test(scope), (value) => (value ? then(scope) : otherwise(scope)));
    }
    case 'CallExpression':
      return segmentOf(node);
    default:
      return undefined;
  }
}

/** Maximum number of characters of a string that is made here. */
const MAX_TEXT = 4_000;

/** A string, or an integer as a string; undefined for any other value. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
};

/** Two values of which one is a string, joined. */
function sum(left?: FastPath, right?: FastPath): FastPath | undefined {
  if (left === undefined || right === undefined) return undefined;
  return (scope) => {
    const [one, other] = [left(scope), right(scope)];
    if (typeof one !== 'string' && typeof other !== 'string') return UNKNOWN;
    const [first, second] = [textOf(one), textOf(other)];
    if (first === undefined || second === undefined || first.length + second.length > MAX_TEXT) return UNKNOWN;
    return first + second;
  };
}

/** `$fn.path(value)` */
function segmentOf({ callee, arguments: given, optional }: CallExpression): FastPath | undefined {
  const [argument] = given;
  const isPath =
    callee.type === 'MemberExpression' &&
    callee.object.type === 'Identifier' &&
    callee.object.name === '$fn' &&
    !callee.optional &&
    keyOf(callee) === 'path';
  if (!isPath || optional || given.length !== 1 || argument === undefined || argument.type === 'SpreadElement')
    return undefined;
  const value = fastStrictOf(argument);
  return (
    value &&
    ((scope) => {
      const text = textOf(value(scope));
      return text === undefined || text.length > MAX_TEXT || !isSegment(text) ? UNKNOWN : encodeSegment(text);
    })
  );
}

const through = (value: unknown, next: (value: unknown) => unknown): unknown =>
  value === UNKNOWN ? UNKNOWN : next(value);

/** A value without fields. Regular expressions and big integers are left to the interpreter. */
const isScalar = (value: unknown): boolean =>
  value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value);

interface Member {
  readonly key: string;
  /** True if a missing owner gives undefined. */
  readonly isOptional: boolean;
}

/** A name, and fields below it. */
function pathOf(node: AnyExpression): FastPath | undefined {
  const members: Member[] = [];
  let rest = node;
  while (rest.type === 'MemberExpression') {
    const key = keyOf(rest);
    if (key === undefined || !isPlainName(key)) return undefined;
    members.unshift({ key, isOptional: rest.optional });
    rest = rest.object;
  }
  const start = rest.type === 'Identifier' ? startOf(rest.name) : undefined;
  return start && ((scope) => follow(start(scope), members));
}

function startOf(name: string): FastPath | undefined {
  if (name === 'undefined') return () => undefined;
  if (name === '$json') return ({ item }) => item?.json ?? UNKNOWN;
  return isExtraName(name) ? (scope) => extraOf(scope, name) : undefined;
}

const extraOf = ({ extra }: ExpressionScope, name: string): unknown =>
  extra !== undefined && Object.hasOwn(extra, name) ? extra[name] : UNKNOWN;

function follow(start: unknown, members: readonly Member[]): unknown {
  let value = start;
  for (const { key, isOptional } of members) {
    if (value === UNKNOWN) return UNKNOWN;
    if (value === null || value === undefined) return isOptional ? undefined : UNKNOWN;
    value = fieldOf(value, key);
  }
  return value;
}

function comparison(operator: string, left?: FastPath, right?: FastPath): FastPath | undefined {
  if (left === undefined || right === undefined || (operator !== '===' && operator !== '!==')) return undefined;
  const isEqual = operator === '===';
  return (scope) => {
    const [one, other] = [left(scope), right(scope)];
    // Lists and objects are compared by the interpreter.
    return isScalar(one) && isScalar(other) ? (one === other) === isEqual : UNKNOWN;
  };
}

function choice(operator: '||' | '&&' | '??', left?: FastPath, right?: FastPath): FastPath | undefined {
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case '||':
      return (scope) => through(left(scope), (value) => value || right(scope));
    case '&&':
      return (scope) => through(left(scope), (value) => value && right(scope));
    case '??':
      return (scope) => through(left(scope), (value) => value ?? right(scope));
  }
}
