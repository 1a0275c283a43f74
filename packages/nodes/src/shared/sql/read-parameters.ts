import { type NodeContext, NodeFailure } from '@weft/engine';
import { isObject } from '@weft/service-kit/json';
import { choiceParameter, namesParameter, objectsParameter, textParameter } from '../read-parameter';
import type { StatementBuilder } from './statement';

/** A row to write: values by column. */
export type Row = Record<string, unknown>;

const CONDITIONS = ['equal', '=', '!=', 'LIKE', '>', '<', '>=', '<=', 'IS NULL', 'IS NOT NULL'] as const;
const COMPARING: ReadonlySet<string> = new Set(['>', '<', '>=', '<=']);

/** A name given as a string or selected from a list: `{ mode, value }`. @throws NodeFailure if it is empty */
export function nameParameter(context: NodeContext, path: string, itemIndex: number): string {
  const isChosen = isObject(context.parameter(path, itemIndex));
  const name = textParameter(context, isChosen ? `${path}.value` : path, itemIndex);
  if (name !== '') return name;
  throw new NodeFailure(`The parameter "${path}" is empty`, { itemIndex });
}

/** Columns to return; undefined for all. */
export function outputColumns(context: NodeContext, path: string, itemIndex: number): string[] | undefined {
  const columns = namesParameter(context, path, itemIndex);
  return columns.length === 0 || columns.includes('*') ? undefined : columns;
}

/**
 * Adds the conditions of `where`. Numeric strings are compared as numbers by `<` and `>`.
 * @throws NodeFailure for an unknown condition, or the error of `onText` for another string compared by size
 */
export function addWhere(
  builder: StatementBuilder,
  context: NodeContext,
  itemIndex: number,
  onText: (value: unknown, entry: number) => void = () => undefined,
): void {
  const clauses = objectsParameter(context, 'where.values', itemIndex);
  if (clauses.length === 0) return;
  const combine = choiceParameter(context, 'combineConditions', itemIndex, ['AND', 'OR'], 'AND');
  builder.sql(' WHERE ').list(
    [...clauses.entries()],
    ([index, { column, condition = 'equal', value = '' }]) => {
      const known = CONDITIONS.find((one) => one === condition);
      if (known === undefined || typeof column !== 'string')
        throw new NodeFailure(`Condition ${index + 1} of "where" is not valid: it has a column and a known operator`, {
          itemIndex,
        });
      builder.name(column).sql(` ${known === 'equal' ? '=' : known}`);
      if (known.startsWith('IS')) return;
      const isNumber = COMPARING.has(known) && String(value).trim() !== '' && !Number.isNaN(Number(value));
      if (COMPARING.has(known) && !isNumber) onText(value, index + 1);
      builder.sql(' ').value(isNumber ? Number(value) : value);
    },
    ` ${combine} `,
  );
}

/** Adds the rules of `sort`. */
export function addSort(builder: StatementBuilder, context: NodeContext, itemIndex: number): void {
  const rules = objectsParameter(context, 'sort.values', itemIndex);
  if (rules.length === 0) return;
  builder
    .sql(' ORDER BY ')
    .list(rules, ({ column, direction }) =>
      builder.name(String(column ?? '')).sql(direction === 'DESC' ? ' DESC' : ' ASC'),
    );
}

/** The fields of the input item as a row. */
export function inputRow(context: NodeContext, itemIndex: number): Row {
  return { ...context.items[itemIndex]?.json };
}

/** An array of `{ column, value }` as a row. */
export function listedRow(context: NodeContext, path: string, itemIndex: number): Row {
  return Object.fromEntries(
    objectsParameter(context, path, itemIndex).map(({ column, value }) => [String(column), value ?? null]),
  );
}

/** Replaces empty strings by null if the option is set. */
export function withoutEmpty(row: Row, replaceEmpty: boolean): Row {
  if (!replaceEmpty) return row;
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value === '' ? null : value]));
}
