import { DateTime } from 'luxon';
import { testPattern } from './test-pattern';

/** Options for comparing values. */
export interface ComparisonOptions {
  readonly ignoreCase: boolean;
}

/**
 * True if the operation holds for `left` and `right`. Both have the operation's type or are empty. An operation that
 * the type does not have never holds.
 */
export function compare(
  type: string,
  operation: string,
  left: unknown,
  right: unknown,
  options: ComparisonOptions,
): boolean {
  if (operation === 'exists') return exists(left);
  if (operation === 'notExists') return !exists(left);
  switch (type) {
    case 'string':
      return compareTexts(operation, left, right, options);
    case 'number':
      return compareNumbers(operation, left, right);
    case 'dateTime':
      return compareDates(operation, left, right);
    case 'boolean':
      return compareBooleans(operation, left, right);
    case 'array':
      return compareLists(operation, left, right, options);
    case 'object':
      return compareObjects(operation, left);
    default:
      return false;
  }
}

function exists(value: unknown): boolean {
  return value !== undefined && value !== null && !Number.isNaN(value);
}

function compareTexts(
  operation: string,
  leftValue: unknown,
  rightValue: unknown,
  { ignoreCase }: ComparisonOptions,
): boolean {
  const isPattern = operation === 'regex' || operation === 'notRegex';
  const left = foldCase(textOf(leftValue), ignoreCase);
  // The case of a pattern is significant: \d and \D differ.
  const right = isPattern ? textOf(rightValue) : foldCase(textOf(rightValue), ignoreCase);
  switch (operation) {
    case 'empty':
      return left.length === 0;
    case 'notEmpty':
      return left.length !== 0;
    case 'equals':
      return left === right;
    case 'notEquals':
      return left !== right;
    case 'contains':
      return left.includes(right);
    case 'notContains':
      return !left.includes(right);
    case 'startsWith':
      return left.startsWith(right);
    case 'notStartsWith':
      return !left.startsWith(right);
    case 'endsWith':
      return left.endsWith(right);
    case 'notEndsWith':
      return !left.endsWith(right);
    case 'regex':
      return testPattern(right, left);
    case 'notRegex':
      return !testPattern(right, left);
    default:
      return false;
  }
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function foldCase(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}

function compareNumbers(operation: string, left: unknown, right: unknown): boolean {
  switch (operation) {
    case 'empty':
      return !exists(left);
    case 'notEmpty':
      return exists(left);
    case 'equals':
      return left === right;
    case 'notEquals':
      return left !== right;
    default:
      return compareOrder(operation, { gt: 'gt', lt: 'lt', gte: 'gte', lte: 'lte' }, orderOf(left), orderOf(right));
  }
}

function compareDates(operation: string, left: unknown, right: unknown): boolean {
  if (operation === 'empty') return !exists(left);
  if (operation === 'notEmpty') return exists(left);
  if (!DateTime.isDateTime(left) || !DateTime.isDateTime(right)) return false;
  switch (operation) {
    case 'equals':
      return left.toMillis() === right.toMillis();
    case 'notEquals':
      return left.toMillis() !== right.toMillis();
    default:
      return compareOrder(
        operation,
        { after: 'gt', before: 'lt', afterOrEquals: 'gte', beforeOrEquals: 'lte' },
        left.toMillis(),
        right.toMillis(),
      );
  }
}

type Order = 'gt' | 'lt' | 'gte' | 'lte';

/** Null counts as 0 in comparisons of order, as in JavaScript. */
function orderOf(value: unknown): number {
  return value === undefined ? NaN : Number(value);
}

function compareOrder(operation: string, names: Readonly<Record<string, Order>>, left: number, right: number): boolean {
  switch (Object.hasOwn(names, operation) ? names[operation] : undefined) {
    case 'gt':
      return left > right;
    case 'lt':
      return left < right;
    case 'gte':
      return left >= right;
    case 'lte':
      return left <= right;
    case undefined:
      return false;
  }
}

function compareBooleans(operation: string, left: unknown, right: unknown): boolean {
  switch (operation) {
    case 'empty':
      return !exists(left);
    case 'notEmpty':
      return exists(left);
    case 'true':
      return Boolean(left);
    case 'false':
      return !left;
    case 'equals':
      return left === right;
    case 'notEquals':
      return left !== right;
    default:
      return false;
  }
}

function compareLists(operation: string, left: unknown, right: unknown, { ignoreCase }: ComparisonOptions): boolean {
  const list: readonly unknown[] = Array.isArray(left) ? left : [];
  const length = orderOf(right);
  switch (operation) {
    case 'empty':
      return list.length === 0;
    case 'notEmpty':
      return list.length !== 0;
    case 'contains':
      return holds(list, right, ignoreCase);
    case 'notContains':
      return !holds(list, right, ignoreCase);
    case 'lengthEquals':
      return list.length === right;
    case 'lengthNotEquals':
      return list.length !== right;
    default:
      return compareOrder(
        operation,
        { lengthGt: 'gt', lengthLt: 'lt', lengthGte: 'gte', lengthLte: 'lte' },
        list.length,
        length,
      );
  }
}

function holds(list: readonly unknown[], wanted: unknown, ignoreCase: boolean): boolean {
  if (!ignoreCase || typeof wanted !== 'string') return list.includes(wanted);
  const folded = wanted.toLowerCase();
  return list.some((entry) => typeof entry === 'string' && entry.toLowerCase() === folded);
}

function compareObjects(operation: string, left: unknown): boolean {
  const isEmpty = typeof left !== 'object' || left === null || Object.keys(left).length === 0;
  if (operation === 'empty') return isEmpty;
  return operation === 'notEmpty' && !isEmpty;
}
