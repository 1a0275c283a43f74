import { InvalidRequest } from '@weft/service-kit/errors';
import { parseJson } from '@weft/service-kit/json';
import type { Cell, Column, Comparison, RowCondition, RowFilter } from './data-table';
import { cellOf, typeOfColumn } from './read-cells';

/** A condition as sent by callers. */
export interface ConditionInput {
  readonly column: string;
  readonly condition: string;
  /** Empty if there is none. */
  readonly valueJson: string;
}

/** A filter as sent by callers. */
export interface FilterInput {
  readonly matchAll: boolean;
  readonly conditions: readonly ConditionInput[];
}

const MAX_CONDITIONS = 20;
const MAX_PATTERN_LENGTH = 200;
const MAX_WILDCARDS = 5;

const COMPARED: Readonly<Record<string, 'equals' | 'differs' | 'greater' | 'atLeast' | 'less' | 'atMost'>> = {
  eq: 'equals',
  neq: 'differs',
  gt: 'greater',
  gte: 'atLeast',
  lt: 'less',
  lte: 'atMost',
};

const refuse = (field: string, message: string): never => {
  throw new InvalidRequest(`The filter is not valid: ${message}`, [{ field, message }]);
};

const patternOf = (cell: Cell, field: string): string => {
  const text = String(cell ?? '');
  const pattern = text.includes('%') ? text : `%${text}%`;
  if (pattern.length > MAX_PATTERN_LENGTH || pattern.split('%').length - 1 > MAX_WILDCARDS)
    refuse(field, `Use at most ${MAX_PATTERN_LENGTH} characters and at most ${MAX_WILDCARDS} %.`);
  return pattern;
};

const comparisonOf = (
  columns: readonly Column[],
  { column, condition, valueJson }: ConditionInput,
  field: string,
): Comparison => {
  const type =
    typeOfColumn(columns, column) ??
    refuse(
      `${field}.column`,
      `The table has no column ${column.slice(0, 100)}. It has: ` +
        `${['id', ...columns.map(({ name }) => name), 'createdAt', 'updatedAt'].join(', ')}.`,
    );
  if (condition === 'isEmpty') return { kind: 'empty' };
  if (condition === 'isNotEmpty') return { kind: 'notEmpty' };
  if (condition === 'isTrue' || condition === 'isFalse') return { kind: 'equals', value: condition === 'isTrue' };
  const value = valueJson === '' ? null : parseJson(Buffer.from(valueJson));
  if (condition === 'like' || condition === 'ilike') {
    if (type !== 'string')
      refuse(`${field}.condition`, `${condition} compares strings; ${column} is a ${type} column.`);
    return {
      kind: 'like',
      pattern: patternOf(cellOf('string', value) ?? null, `${field}.value`),
      ignoresCase: condition === 'ilike',
    };
  }
  const kind = Object.hasOwn(COMPARED, condition) ? COMPARED[condition] : undefined;
  const cell = cellOf(type, value);
  if (kind === undefined)
    return refuse(
      `${field}.condition`,
      `Unknown condition ${condition.slice(0, 50)}. Use one of: ${Object.keys(COMPARED).join(', ')}, like, ilike, ` +
        'isEmpty, isNotEmpty, isTrue, isFalse.',
    );
  if (cell === undefined)
    return refuse(`${field}.value`, `${column} is a ${type} column; the value must be a ${type}.`);
  return { kind, value: cell };
};

/** Reads a filter. @throws InvalidRequest */
export const readFilter = (columns: readonly Column[], filter: FilterInput | undefined): RowFilter => {
  const conditions = filter?.conditions ?? [];
  if (conditions.length > MAX_CONDITIONS) refuse('filter.conditions', `Use at most ${MAX_CONDITIONS} conditions.`);
  return {
    matchAll: filter?.matchAll === true,
    conditions: conditions.map((params, index): RowCondition => ({
      column: params.column,
      comparison: comparisonOf(columns, params, `filter.conditions[${index}]`),
    })),
  };
};

/** Reads a filter that must have a condition: without one, all rows would be changed. @throws InvalidRequest */
export const readSomeFilter = (columns: readonly Column[], filter: FilterInput | undefined): RowFilter => {
  if (filter === undefined || filter.conditions.length === 0)
    throw new InvalidRequest('At least one condition is required.', [
      { field: 'filter.conditions', message: 'Add a condition that selects the rows.' },
    ]);
  return readFilter(columns, filter);
};
