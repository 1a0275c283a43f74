import { type NodeExecutor, output, type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@weft/node-catalogue';
import { choiceParameter, nameOf, objectsParameter } from '../shared/read-parameter';
import { listAccess } from '../shared/lists/field-names';
import { sortByCode } from './sort-by-code';

export const sort: NodeExecutor = {
  kind: 'sort',
  actsOutside: false,
  run: async (context) => output(await sortItems(context)),
};

/**
 * The sorted items, each linked to itself.
 * @throws NodeFailure if no item has a field, or code fails
 */
export function sortItems(context: NodeContext): Item[] | Promise<Item[]> {
  const paired = context.items.map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
  switch (choiceParameter(context, 'type', 0, ['simple', 'random', 'code'])) {
    case 'simple':
      return sortByFields(context, paired);
    case 'random':
      return shuffled(paired);
    case 'code':
      return sortByCode(context, paired);
  }
}

function sortByFields(context: NodeContext, items: readonly Item[]): Item[] {
  const fields = objectsParameter(context, 'sortFieldsUi.sortField', 0).map((field) => ({
    name: nameOf(field['fieldName']),
    isDescending: field['order'] === 'descending',
  }));
  if (fields.length === 0) throw new NodeFailure('No sorting specified. Please add a field to sort by');
  const access = listAccess(context);
  for (const { name } of fields) {
    if (items.length > 0 && items.every((item) => access.get(item.json, name) === undefined))
      throw new NodeFailure(`Couldn't find the field '${name}' in the input data`);
  }
  // Each value is read once instead of once per comparison.
  const rows = items.map((item) => ({ item, keys: fields.map(({ name }) => foldCase(access.get(item.json, name))) }));
  rows.sort((a, b) => {
    for (const [position, { isDescending }] of fields.entries()) {
      const order = compareValues(a.keys[position], b.keys[position]);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  });
  return rows.map(({ item }) => item);
}

function foldCase(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/**
 * Compares strings as strings, everything else as numbers. Of two values without an order, such as a number and a
 * missing one, the first argument comes last, so that the result for mixed types is the same as in n8n.
 */
function compareValues(a: Json | undefined, b: Json | undefined): number {
  if (isDeepStrictEqual(a, b)) return 0;
  const isLess = typeof a === 'string' && typeof b === 'string' ? a < b : Number(a) < Number(b);
  return isLess ? -1 : 1;
}

function shuffled(items: readonly Item[]): Item[] {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1);
    const [a, b] = [list[last], list[other]];
    if (a !== undefined && b !== undefined) [list[last], list[other]] = [b, a];
  }
  return list;
}
