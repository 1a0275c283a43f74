import type { Json } from '@weft/node-catalogue';
import { DateTime, Duration, Interval } from 'luxon';
import { ExpressionError } from './errors';
import { LIMITS } from './limits';
import { FunctionValue } from './runtime/function-value';
import { isArray, isPlainObject } from './runtime/kinds';
import { overBudget } from './runtime/run';

/**
 * The JSON form of a result: dates as ISO text, not-a-number as null, and left out of objects what JSON cannot hold. Undefined stays
 * undefined. Data that is JSON already is given back as it is, not copied.
 * @throws ExpressionError `type` for data that contains itself, `budget` for data nested too deeply
 */
export function toJson(value: unknown): Json | undefined {
  return convert(value, new Set());
}

function convert(value: unknown, open: Set<unknown>): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value === null ? null : convertObject(value, open);
    default:
      return undefined;
  }
}

function convertObject(value: object, open: Set<unknown>): Json | undefined {
  if (value instanceof FunctionValue) return undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value)) return value.isValid ? value.toISO() : null;
  if (open.has(value)) throw new ExpressionError('The result contains itself', { type: 'type' });
  if (open.size > LIMITS.dataDepth) throw overBudget(`gives data nested deeper than ${LIMITS.dataDepth} levels`);
  open.add(value);
  const json = isArray(value) ? value.map((entry) => convert(entry, open) ?? null) : convertFields(value, open);
  open.delete(value);
  return json;
}

function convertFields(value: object, open: Set<unknown>): Json {
  const result: Record<string, Json> = {};
  if (!isPlainObject(value)) return result;
  for (const [key, entry] of Object.entries(value)) {
    const json = key === '__proto__' ? undefined : convert(entry, open);
    if (json !== undefined) result[key] = json;
  }
  return result;
}

/**
 * The text form of a result, as a part of a longer text has it: null and undefined are empty, lists are joined by commas, other
 * objects are `[object Object]`, dates ISO text.
 */
export function toText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (isArray(value)) return value.map(toText).join(',');
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (DateTime.isDateTime(value) || Duration.isDuration(value) || Interval.isInterval(value)) return String(value);
  return typeof value === 'object' || typeof value === 'function' ? '[object Object]' : String(value);
}
