import { isJsonObject, type Json, type ParameterDescriptor } from '@weft/node-catalogue/definitions';
import { prettyJson } from './control-of';

/** The expression that gives a fixed value. Text becomes a template, everything else a literal in `{{ }}`. */
export function toExpression(value: Json | undefined): string {
  if (value === undefined || value === null) return '=';
  if (typeof value === 'string') return value.startsWith('=') ? value : `=${value}`;
  return `={{ ${JSON.stringify(value)} }}`;
}

/**
 * The fixed value that replaces an expression: its text or literal, or the value of its preview; undefined, which
 * removes it, if none of them suits the parameter.
 * @param preview value of the expression for the selected item; undefined if it is not known
 */
export function toFixed(
  expression: string,
  descriptor: Pick<ParameterDescriptor, 'type' | 'options'>,
  preview?: Json,
): Json | undefined {
  const text = expression.startsWith('=') ? expression.slice(1) : expression;
  if (!text.includes('{{')) return asType(text, descriptor);
  const literal = literalOf(text);
  return asType(literal ?? preview, descriptor);
}

/** The value of `{{ 5 }}`, of any JSON. */
function literalOf(text: string): Json | undefined {
  const whole = text.trim();
  if (!whole.startsWith('{{') || !whole.endsWith('}}')) return undefined;
  try {
    const value: Json = JSON.parse(whole.slice(2, -2));
    return value;
  } catch {
    return undefined;
  }
}

function asType(
  value: Json | undefined,
  { type, options = [] }: Pick<ParameterDescriptor, 'type' | 'options'>,
): Json | undefined {
  if (value === undefined || value === null) return undefined;
  switch (type) {
    case 'string':
    case 'dateTime':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'number':
      return asNumber(value);
    case 'boolean':
      return value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined;
    case 'options':
      // The options of a service are not known here.
      if (options.length === 0) return typeof value === 'object' ? undefined : value;
      return options.find((option) => option.value === value && option.refused === undefined)?.value;
    case 'multiOptions':
      return Array.isArray(value) ? value : undefined;
    case 'json':
      return typeof value === 'string' ? value : prettyJson(value);
    default:
      return isJsonObject(value) ? value : undefined;
  }
}

function asNumber(value: Json): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** An expression that begins in a field for a fixed value. */
export interface BegunExpression {
  readonly expression: string;
  /** Where the cursor is in the text after the `=`. */
  readonly cursor: number;
  /** Braces that the editor of expressions types there itself, so that it closes them. */
  readonly typed: '{{' | '';
}

/**
 * Recognizes an expression in the text of a field for a fixed value: `{{`, typed or pasted, or `=` at the beginning.
 * Undefined for text that stays fixed, such as a field that had `{{` before.
 * @param before text of the field before the change
 * @param cursor end of what was typed or pasted
 */
export function beginExpression(before: string, text: string, cursor: number): BegunExpression | undefined {
  if (text.startsWith('=')) return { expression: text, cursor: Math.max(0, cursor - 1), typed: '' };
  if (before.includes('{{') || !text.includes('{{')) return undefined;
  if (text.includes('}}') || !text.slice(0, cursor).endsWith('{{'))
    return { expression: `=${text}`, cursor, typed: '' };
  return { expression: `=${text.slice(0, cursor - 2)}${text.slice(cursor)}`, cursor: cursor - 2, typed: '{{' };
}

/** Outcome of reading what was typed. */
export type Typed =
  { readonly isValid: true; readonly value: Json } | { readonly isValid: false; readonly why: string };

/** Reads a typed number. */
export function readNumber(text: string): Typed {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return { isValid: false, why: 'Must be a number.' };
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    return { isValid: false, why: 'Has more digits than a number can hold.' };
  return { isValid: true, value: number };
}

/** Reads typed JSON. */
export function readJson(text: string): Typed {
  try {
    return { isValid: true, value: JSON.parse(text) };
  } catch (error) {
    return { isValid: false, why: `Must be JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.` };
  }
}
