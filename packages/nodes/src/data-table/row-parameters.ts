import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure, type RowCondition, type RowFilter } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { choiceParameter, objectsParameter } from '../shared/read-parameter';

/** Columns that every row has and that are read-only. */
const SYSTEM = ['id', 'createdAt', 'updatedAt'];
const WITHOUT_VALUE = ['isEmpty', 'isNotEmpty', 'isTrue', 'isFalse'];

/** The rows that the node selects for an item. Conditions without a column are left out. */
export function rowFilter(context: NodeContext, itemIndex: number): RowFilter {
  const conditions = objectsParameter(context, 'filters.conditions', itemIndex).flatMap(
    ({ keyName = 'id', condition = 'eq', keyValue }): RowCondition[] => {
      const column = typeof keyName === 'string' ? keyName.trim() : '';
      const name = String(condition);
      return column === ''
        ? []
        : [{ column, condition: name, value: WITHOUT_VALUE.includes(name) ? undefined : (toJson(keyValue) ?? null) }];
    },
  );
  return {
    matchAll: choiceParameter(context, 'matchType', itemIndex, ['anyCondition', 'allConditions']) === 'allConditions',
    conditions,
  };
}

/** As `rowFilter`, but requires at least one condition. @throws NodeFailure if there is none */
export function someRowFilter(context: NodeContext, itemIndex: number): RowFilter {
  const filter = rowFilter(context, itemIndex);
  if (filter.conditions.length > 0) return filter;
  throw new NodeFailure('At least one condition is required', {
    itemIndex,
    description: 'Add a condition with a column to select the rows.',
  });
}

/** The column values of a row. @throws NodeFailure if the node sets none */
export function rowValues(context: NodeContext, itemIndex: number): JsonObject {
  const mode = choiceParameter(
    context,
    'columns.mappingMode',
    itemIndex,
    ['defineBelow', 'autoMapInputData'],
    'defineBelow',
  );
  if (mode === 'autoMapInputData')
    return Object.fromEntries(
      Object.entries(context.items[itemIndex]?.json ?? {}).filter(([name]) => !SYSTEM.includes(name)),
    );
  const values = toJson(context.parameter('columns.value', itemIndex));
  if (isJsonObject(values)) return values;
  throw new NodeFailure('The node sets no column values', {
    itemIndex,
    description: 'Set them in `columns.value`, or set `columns.mappingMode` to autoMapInputData.',
  });
}
