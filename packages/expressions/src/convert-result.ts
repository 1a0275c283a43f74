import type { Json } from '@weft/service-kit/json-values';
import { DateTime, Duration, Interval } from 'luxon';
import { isArray, isPlainObject } from './runtime/kinds';
import { transformData } from './runtime/data/transform-data';

/**
 * The JSON form of a result: dates as ISO text, not-a-number as null, and left out of objects what JSON cannot hold.
 * Undefined stays undefined. Data that is JSON already is returned unchanged, not copied.
 * @throws ExpressionError `budget` for data that is too large, nested too deeply, or contains itself
 */
export function toJson(value: unknown): Json | undefined {
  const json = transformData(value, leafJson, true);
  return isJson(json) ? json : undefined;
}

/**
 * True for anything but undefined: what `transformData` gives has JSON at all its leaves, and lists hold no undefined.
 */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

function leafJson(value: unknown): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : objectJson(value);
    default:
      return undefined;
  }
}

function objectJson(value: object): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value))
    return value.isValid ? value.toISO() : null;
  return {};
}

/**
 * The text form of a result, as a part of a longer text has it: null and undefined are empty, lists are joined by
 * commas, other objects are `[object Object]`, dates ISO text.
 */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isArray(value)) return value.map(toText).join(',');
  if (isPlainObject(value)) return '[object Object]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value)) return String(value);
  return typeof value === 'object' || typeof value === 'function' ? '[object Object]' : String(value);
}
