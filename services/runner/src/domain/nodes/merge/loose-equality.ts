import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@weft/node-catalogue';

/**
 * Loose equality of values: between different types, a number and a truth value are equal to the text that says the
 * same, empty values (nothing, empty text, empty list) to each other, and nothing to 0. Values of one type have to be
 * the same.
 */
export function looselyEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (one !== null && other !== null && typeof one === typeof other) return isDeepStrictEqual(one, other);
  return isEmpty(one) && isEmpty(other) || says(one, other) || says(other, one);
}

/** The same for all values that can be loosely equal; other values may have it too. */
export function looseBucket(value: Json | undefined): string {
  if (isEmpty(value) || value === 0 || value === '0' || value === false) return 'nothing';
  if (value === true || value === 1 || value === '1') return 'true';
  if (typeof value === 'object' && value !== null) return 'object';
  const text = String(value).toLowerCase();
  return text === 'false' ? 'nothing' : text;
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function says(value: Json | undefined, other: Json | undefined): boolean {
  if (value === null) return other === 0 || other === '0';
  if (typeof value === 'number') return typeof other === 'string' && String(value) === other;
  if (typeof value !== 'boolean') return false;
  return typeof other === 'string' ? String(value) === other.toLowerCase() : other === Number(value);
}
