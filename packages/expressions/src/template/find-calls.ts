import type { CallExpression, Expression, Node, SpreadElement } from 'acorn';
import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import { splitTemplate } from './split';

/** An argument of a call, as far as it is known without evaluation. */
export type FoundArgument =
  /** Undefined is a value too. */
  | { readonly kind: 'constant'; readonly value: Json | undefined }
  /** It depends on the run, or is not JSON. */
  | { readonly kind: 'code'; readonly source: string };

/** A call of a function in an expression. */
export interface FoundCall {
  readonly name: string;
  readonly arguments: readonly FoundArgument[];
}

/** Nesting of a constant beyond which it counts as code. */
const MAX_DEPTH = 20;

const CODE = Symbol('code');
type Constant = Json | undefined | typeof CODE;

/**
 * Finds the calls of functions with certain names in a string that starts with `=`, in the order of the source. Nothing
 * is evaluated. Calls in strings and comments are not calls.
 * @throws ExpressionError `syntax` for text that is not an expression of the language
 */
export function findCalls(text: string, names: ReadonlySet<string>): FoundCall[] {
  return splitTemplate(text, 1).flatMap((part) =>
    part.kind === 'text' ? [] : callsIn(part.node, names).map((call) => foundCall(call, part.source)),
  );
}

function callsIn(root: Node, names: ReadonlySet<string>): CallExpression[] {
  const found: CallExpression[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isCall(node) && node.callee.type === 'Identifier' && names.has(node.callee.name)) found.push(node);
    open.push(...childrenOf(node));
  }
  return found.sort((one, other) => one.start - other.start);
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function isCall(node: Node): node is CallExpression {
  return node.type === 'CallExpression';
}

function foundCall({ callee, arguments: given }: CallExpression, source: string): FoundCall {
  return {
    name: callee.type === 'Identifier' ? callee.name : '',
    arguments: given.map((argument): FoundArgument => {
      const value = constantOf(argument, 0);
      return value === CODE
        ? { kind: 'code', source: source.slice(argument.start, argument.end) }
        : { kind: 'constant', value };
    }),
  };
}

function constantOf(node: Expression | SpreadElement, depth: number): Constant {
  if (depth > MAX_DEPTH) return CODE;
  const next = (inner: Expression | SpreadElement): Constant => constantOf(inner, depth + 1);
  switch (node.type) {
    case 'Literal':
      return literalOf(node.value);
    case 'Identifier':
      return node.name === 'undefined' ? undefined : CODE;
    case 'TemplateLiteral': {
      const [only, ...others] = node.quasis;
      return others.length === 0 ? (only?.value.cooked ?? '') : CODE;
    }
    case 'UnaryExpression': {
      const value = next(node.argument);
      if (typeof value !== 'number') return CODE;
      return node.operator === '-' ? -value : node.operator === '+' ? value : CODE;
    }
    case 'BinaryExpression': {
      if (node.operator !== '+' || node.left.type === 'PrivateIdentifier') return CODE;
      const [left, right] = [next(node.left), next(node.right)];
      return typeof left === 'string' && typeof right === 'string' ? left + right : CODE;
    }
    case 'ArrayExpression':
      return listOf(node.elements.map((element) => (element === null ? CODE : next(element))));
    case 'ObjectExpression':
      return objectOf(
        node.properties.map((property) => {
          if (property.type !== 'Property' || property.computed || property.kind !== 'init' || property.method)
            return CODE;
          const { key } = property;
          const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : '__proto__';
          return [name, next(property.value)];
        }),
      );
    default:
      return CODE;
  }
}

function literalOf(value: unknown): Constant {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : CODE;
}

function listOf(values: readonly Constant[]): Constant {
  const list = values.flatMap((value) => (value === CODE || value === undefined ? [] : [value]));
  return list.length === values.length ? list : CODE;
}

function objectOf(entries: readonly (readonly [string, Constant] | typeof CODE)[]): Constant {
  const object: Record<string, Json> = {};
  for (const entry of entries) {
    if (entry === CODE) return CODE;
    const [name, value] = entry;
    if (value === CODE || name === '__proto__') return CODE;
    if (value !== undefined) object[name] = value;
  }
  return isJsonObject(object) ? object : CODE;
}
