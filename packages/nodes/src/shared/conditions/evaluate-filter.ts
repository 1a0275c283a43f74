import { DateTime } from 'luxon';
import { NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import type { Conversion, FieldType } from '../values/convert-value';
import { convertValue } from '../values/convert-value';
import type { FilterCondition, FilterValue } from './filter-value';
import type { ComparisonOptions } from './operations';
import { compare } from './operations';

/** Where a filter is evaluated, for messages and for dates without a zone. */
export interface FilterPlace {
  readonly itemIndex: number;
  readonly timezone: string;
}

/**
 * True if an item passes a filter. Conditions are evaluated in order until the result is known. A filter without
 * conditions passes every item.
 * @throws NodeFailure if a value has the wrong type for its condition.
 */
export function evaluateFilter(filter: FilterValue, place: FilterPlace): boolean {
  const holds = (condition: FilterCondition, index: number): boolean =>
    evaluateCondition(condition, index, filter, place);
  return filter.combinator === 'or' ? filter.conditions.some(holds) : filter.conditions.every(holds);
}

function evaluateCondition(
  condition: FilterCondition,
  index: number,
  filter: FilterValue,
  place: FilterPlace,
): boolean {
  const { operator } = condition;
  const leftValue = plain(condition.leftValue);
  const rightValue = plain(condition.rightValue);
  const rightType = operator.rightType ?? operator.type;
  const left = parseSide(leftValue, operator.type, filter, place);
  const right = parseSide(rightValue, rightType, filter, place);
  const where = { ...place, strict: filter.strict, suffix: `[condition ${index}, item ${place.itemIndex}]` };
  const needsRight = !right.ok && !hasNoRightSide(condition);
  if (!left.ok && needsRight && typeof leftValue === typeof rightValue) {
    const types = `${withArticle(operator.type)} but both fields are ${withArticle(typeof leftValue)}`;
    throw failure(`Comparison type expects ${types}`, where);
  }
  if (!left.ok) throw wrongType(leftValue, operator.type, where);
  if (needsRight) throw wrongType(rightValue, rightType, where);
  const options: ComparisonOptions = { ignoreCase: !filter.caseSensitive };
  return compare(operator.type, operator.operation, left.value, right.ok ? right.value : undefined, options);
}

function hasNoRightSide({ operator }: FilterCondition): boolean {
  return (
    operator.singleValue === true ||
    ['exists', 'notExists', 'empty', 'notEmpty', 'true', 'false'].includes(operator.operation)
  );
}

/** A date from an expression is compared as the string it would be in an item. */
function plain(value: unknown): unknown {
  return DateTime.isDateTime(value) ? toJson(value) : value;
}

function parseSide(
  value: unknown,
  type: string,
  { strict, version }: FilterValue,
  { timezone }: FilterPlace,
): Conversion {
  if (value === null || value === undefined || !isFieldType(type)) return { ok: true, value };
  if (type === 'boolean' && !strict) return looseBoolean(value, version, timezone);
  if (type === 'number' && Number.isNaN(value)) return { ok: true, value };
  // From version 3 on, an empty string or array where a number is expected counts as null instead of 0.
  if (type === 'number' && version >= 3 && isBlank(value)) return { ok: true, value: null };
  return convertValue(type, value, { strict, timezone });
}

function looseBoolean(value: unknown, version: number, timezone: string): Conversion {
  const converted = version >= 2 ? convertValue('boolean', value, { timezone }) : { ok: false as const };
  return converted.ok ? converted : { ok: true, value: Boolean(value) };
}

function isBlank(value: unknown): boolean {
  return (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);
}

function isFieldType(type: string): type is FieldType {
  return ['string', 'number', 'boolean', 'array', 'object', 'dateTime'].includes(type);
}

/** The condition that failed, for messages. */
interface Where {
  readonly itemIndex: number;
  readonly strict: boolean;
  readonly suffix: string;
}

function wrongType(value: unknown, type: string, where: Where): NodeFailure {
  const shown = textOf(value);
  return failure(
    where.strict
      ? `Wrong type: '${shown}' is ${withArticle(typeof value)} but was expecting ${withArticle(type)} ${where.suffix}`
      : `Conversion error: the ${typeof value} '${shown}' can't be converted to ${withArticle(type)} ${where.suffix}`,
    where,
  );
}

function failure(message: string, { itemIndex, strict }: Where): NodeFailure {
  const description = strict
    ? 'Compare with an operation of the right type, or turn on type conversion.'
    : 'Change the value, or compare with an operation of its type.';
  return new NodeFailure(message, { itemIndex, description });
}

/** The value as JavaScript converts it to a string, or its JSON if an object has fields that prevent the conversion. */
function textOf(value: unknown): string {
  try {
    return String(value);
  } catch {
    return JSON.stringify(toJson(value));
  }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}
