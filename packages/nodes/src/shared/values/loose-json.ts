import type { Json } from '@weft/node-catalogue';
import type { Expression, Property } from 'acorn';
import { parseExpressionAt } from 'acorn';

/** Maximum length of a string that is parsed as a JavaScript literal. */
const MAX_LITERAL_LENGTH = 1_000_000;
const MAX_DEPTH = 100;

/**
 * Parses JSON, or a JavaScript object literal with unquoted or single-quoted names, single-quoted strings and trailing
 * commas. Nothing is executed. Undefined if the string is neither.
 */
export function parseLooseJson(text: string): Json | undefined {
  const value = parseStrictJson(text);
  return value === undefined ? parseLiteral(text.trim()) : value;
}

/** Parses JSON; undefined if the string is not JSON. */
export function parseStrictJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

function parseLiteral(text: string): Json | undefined {
  if (text.length > MAX_LITERAL_LENGTH || !/^[[{]/.test(text)) return undefined;
  try {
    const expression = parseExpressionAt(`(${text})`, 0, { ecmaVersion: 2023 });
    return expression.end === text.length + 1 ? literalValue(expression, 0) : undefined;
  } catch {
    return undefined;
  }
}

function literalValue(node: Expression, depth: number): Json | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (node.type === 'Literal') return isPlain(node.value) ? node.value : undefined;
  if (node.type === 'UnaryExpression') return signed(node.operator, literalValue(node.argument, depth + 1));
  if (node.type === 'ArrayExpression') return listValue(node.elements, depth);
  return node.type === 'ObjectExpression' ? objectValue(node.properties, depth) : undefined;
}

function isPlain(value: unknown): value is null | boolean | number | string {
  return value === null || ['boolean', 'number', 'string'].includes(typeof value);
}

function signed(operator: string, value: Json | undefined): Json | undefined {
  if (typeof value !== 'number') return undefined;
  return operator === '-' ? -value : operator === '+' ? value : undefined;
}

function listValue(elements: readonly ({ type: string } | null)[], depth: number): Json[] | undefined {
  const list: Json[] = [];
  for (const element of elements) {
    const value = element === null || !isExpression(element) ? undefined : literalValue(element, depth + 1);
    if (value === undefined) return undefined;
    list.push(value);
  }
  return list;
}

function isExpression(node: { type: string }): node is Expression {
  return node.type !== 'SpreadElement';
}

function objectValue(properties: readonly (Property | { type: 'SpreadElement' })[], depth: number): Json | undefined {
  const entries: [string, Json][] = [];
  for (const property of properties) {
    if (
      property.type !== 'Property' ||
      property.computed ||
      property.kind !== 'init' ||
      property.method ||
      property.shorthand
    )
      return undefined;
    const key = keyOf(property);
    const value = literalValue(property.value, depth + 1);
    if (key === undefined || key === '__proto__' || value === undefined) return undefined;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}

function keyOf({ key }: Property): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number')
    ? String(key.value)
    : undefined;
}
