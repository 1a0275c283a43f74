import { DateTime } from 'luxon';
import { type NodeContext, NodeFailure } from '@weft/engine';
import { isObject } from '@weft/service-kit/json';
import { objectsParameter } from '../read-parameter';
import { testPattern } from './test-pattern';

/** Types in the order in which their conditions are evaluated, with default conditions. */
const TYPES = [
  { type: 'boolean', operation: 'equal', initial: false },
  { type: 'dateTime', operation: 'after', initial: '' },
  { type: 'number', operation: 'smaller', initial: 0 },
  { type: 'string', operation: 'equal', initial: '' },
] as const;

/**
 * True if an item passes conditions in the older form: arrays by type under `conditions`, of which all or any must
 * hold. Without conditions, `all` passes and `any` does not.
 * @throws NodeFailure for an empty or invalid date
 */
export function evaluateTypedConditions(
  context: Pick<NodeContext, 'parameter' | 'defaultOf'>,
  itemIndex: number,
  any: boolean,
): boolean {
  for (const { type, operation, initial } of TYPES) {
    for (const condition of objectsParameter(context, `conditions.${type}`, itemIndex)) {
      const value1 = 'value1' in condition ? condition['value1'] : initial;
      const value2 = 'value2' in condition ? condition['value2'] : initial;
      const name = typeof condition['operation'] === 'string' ? condition['operation'] : operation;
      const convert = (value: unknown): unknown => (type === 'dateTime' ? millisOf(value, itemIndex) : value);
      if (compareTyped(name, convert(value1), convert(value2)) === any) return any;
    }
  }
  return !any;
}

/**
 * True if an operation of the older form holds for two values. An unknown operation never holds.
 */
export function compareTyped(operation: string, value1: unknown, value2: unknown): boolean {
  switch (operation) {
    case 'equal':
      return value1 === value2;
    case 'notEqual':
      return value1 !== value2;
    case 'isEmpty':
      return isEmpty(value1);
    case 'isNotEmpty':
      return !isEmpty(value1);
    case 'after':
    case 'larger':
      return orderOf(value1, value2) > 0;
    case 'before':
    case 'smaller':
      return orderOf(value1, value2) < 0;
    case 'largerEqual':
      return orderOf(value1, value2) >= 0;
    case 'smallerEqual':
      return orderOf(value1, value2) <= 0;
    default:
      return compareText(operation, textOf(value1), textOf(value2));
  }
}

function compareText(operation: string, text: string, other: string): boolean {
  switch (operation) {
    case 'contains':
      return text.includes(other);
    case 'notContains':
      return !text.includes(other);
    case 'startsWith':
      return text.startsWith(other);
    case 'notStartsWith':
      return !text.startsWith(other);
    case 'endsWith':
      return text.endsWith(other);
    case 'notEndsWith':
      return !text.endsWith(other);
    case 'regex':
      return testPattern(other, text);
    case 'notRegex':
      return !testPattern(other, text);
    default:
      return false;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || Number.isNaN(value)) return true;
  if (value instanceof Date) return Number.isNaN(value.getTime());
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/**
 * Below, at or above 0 as JavaScript orders two values: two strings as strings, all others as numbers; NaN if they have
 * no order. Empty values count as 0.
 */
function orderOf(value1: unknown, value2: unknown): number {
  const [one, other] = [primitiveOf(value1), primitiveOf(value2)];
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : Number(one > other);
  const [left, right] = [Number(one), Number(other)];
  return left === right ? 0 : left - right;
}

function primitiveOf(value: unknown): unknown {
  if (isFalsy(value)) return 0;
  if (DateTime.isDateTime(value)) return value.toMillis();
  if (value instanceof Date) return value.getTime();
  return typeof value === 'object' ? String(value) : value;
}

function textOf(value: unknown): string {
  return isFalsy(value) ? '' : String(value);
}

function isFalsy(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 0 || value === false || Number.isNaN(value);
}

/**
 * A date of the older form in Unix milliseconds. A string without an offset is in UTC.
 * @throws NodeFailure if it is empty or not a date
 */
export function millisOf(value: unknown, itemIndex: number): number {
  const millis = typeof value === 'string' ? readDate(value) : value instanceof Date ? value.getTime() : value;
  if (typeof millis === 'number' && !Number.isNaN(millis)) return millis;
  if (DateTime.isDateTime(value)) return value.toMillis();
  throw new NodeFailure(`The value "${String(value).slice(0, 100)}" is not a valid DateTime.`, { itemIndex });
}

function readDate(text: string): number {
  const date = /^\d{4}-\d\d/.test(text) ? DateTime.fromISO(text, { zone: 'utc' }) : undefined;
  return date?.isValid === true ? date.toMillis() : Date.parse(text);
}
