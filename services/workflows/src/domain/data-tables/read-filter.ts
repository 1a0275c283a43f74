import { InvalidRequest } from '@weft/service-kit/errors';
import { parseJson } from '@weft/service-kit/json';
import type { Cell, Column, Comparison, RowCondition, RowFilter } from './data-table';
import { cellOf, typeOfColumn } from './read-cells';

/** A condition as it comes. */
export interface ConditionInput {
  readonly column: string;
  readonly condition: string;
  /** Empty if there is none. */
  readonly valueJson: string;
}

/** A filter as it comes. */
export interface FilterInput {
  readonly matchAll: boolean;
  readonly conditions: readonly ConditionInput[];
}

const MAX_CONDITIONS = 20;
const MAX_PATTERN = 200;
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
  throw new InvalidRequest(`A condition cannot be used: ${message}`, [{ field, message }]);
};

const patternOf = (cell: Cell, field: string): string => {
  const text = String(cell ?? '');
  const pattern = text.includes('%') ? text : `%${text}%`;
  if (pattern.length > MAX_PATTERN || pattern.split('%').length - 1 > MAX_WILDCARDS)
    refuse(field, `Use ${MAX_PATTERN} characters and ${MAX_WILDCARDS} times % at most.`);
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
    if (type !== 'string') refuse(`${field}.condition`, `${condition} is for text, and ${column} holds a ${type}.`);
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
      `${condition.slice(0, 50)} is not known. Known are: ${Object.keys(COMPARED).join(', ')}, like, ilike, ` +
        'isEmpty, isNotEmpty, isTrue, isFalse.',
    );
  if (cell === undefined) return refuse(`${field}.value`, `${column} holds a ${type}, and the value is none.`);
  return { kind, value: cell };
};

/** Reads a filter. @throws InvalidRequest */
export const readFilter = (columns: readonly Column[], filter: FilterInput | undefined): RowFilter => {
  const conditions = filter?.conditions ?? [];
  if (conditions.length > MAX_CONDITIONS) refuse('filter.conditions', `Use ${MAX_CONDITIONS} at most.`);
  return {
    matchAll: filter?.matchAll === true,
    conditions: conditions.map((params, index): RowCondition => ({
      column: params.column,
      comparison: comparisonOf(columns, params, `filter.conditions[${index}]`),
    })),
  };
};

/** The same, with at least one condition: without any, all rows would be changed. @throws InvalidRequest */
export const readSomeFilter = (columns: readonly Column[], filter: FilterInput | undefined): RowFilter => {
  if (filter === undefined || filter.conditions.length === 0)
    throw new InvalidRequest('At least one condition is needed.', [
      { field: 'filter.conditions', message: 'Say which rows are meant.' },
    ]);
  return readFilter(columns, filter);
};
