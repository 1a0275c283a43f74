import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@weft/node-catalogue';
import { parseStrictJson } from './loose-json';

/**
 * Loose equality of values: between different types, a number, boolean, array or object equals the string that
 * represents it, a boolean equals 1 or 0, and empty values (null, empty string, empty array) equal each other. Values
 * of the same type must be identical.
 * @param nullIsZero true: null also equals 0
 */
export function looselyEqual(one: Json | undefined, other: Json | undefined, nullIsZero = false): boolean {
  if (one !== null && other !== null && typeof one === typeof other) return isDeepStrictEqual(one, other);
  if (isEmpty(one) && isEmpty(other)) return true;
  if (nullIsZero && ((one === null && isZero(other)) || (other === null && isZero(one)))) return true;
  return says(one, other) || says(other, one);
}

/** Returns the same key for all values that can be loosely equal. Other values may share it. */
export function looseBucket(value: Json | undefined): string {
  if (value === true || value === 1 || value === '1') return 'true';
  if (isEmpty(value) || isZero(value) || value === false || typeof value === 'object') return 'nothing or more';
  const text = String(value).trim().toLowerCase();
  // A string that begins like JSON may equal an array or object, and an empty array equals null.
  return text === 'false' || text.startsWith('[') || text.startsWith('{') ? 'nothing or more' : text;
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isZero(value: Json | undefined): boolean {
  return value === 0 || value === '0';
}

function says(value: Json | undefined, other: Json | undefined): boolean {
  if (typeof value === 'number') return typeof other === 'string' && String(value) === other;
  if (typeof value === 'boolean')
    return typeof other === 'string' ? saysTruth(other) === value : other === Number(value);
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof other === 'string' &&
    isDeepStrictEqual(parseStrictJson(other), value)
  );
}

function saysTruth(text: string): boolean | undefined {
  const folded = text.toLowerCase();
  if (folded === 'true' || folded === '1') return true;
  return folded === 'false' || folded === '0' ? false : undefined;
}
