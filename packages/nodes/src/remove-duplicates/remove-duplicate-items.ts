import type { JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { booleanParameter, choiceParameter } from '../shared/read-parameter';
import type { FieldAccess } from '../set/include-fields';
import { fieldNames, listAccess } from '../shared/lists/field-names';
import { flatKeys } from '../shared/lists/json-keys';
import { stableText } from '../shared/lists/json-keys';

/**
 * Values that a compared field may have in addition to those of one type. `null`: only null. `allowed`: anything, but
 * values of different types are not equal.
 */
export type MixedTypes = 'refused' | 'null' | 'allowed';

/**
 * The items without those that are equal to an earlier one in the compared fields.
 * @throws NodeFailure if a compared field is missing in an item, or has values of different types
 */
export function removeDuplicateItems(context: NodeContext, mixed: MixedTypes): Item[] {
  const access = listAccess(context);
  const compare = choiceParameter(context, 'compare', 0, ['allFields', 'allFieldsExcept', 'selectedFields']);
  const keys = comparedKeys(context, compare);
  requireComparable(context.items, keys, access, mixed);
  const removesOthers = compare !== 'allFields' && booleanParameter(context, 'options.removeOtherFields', 0);
  const seen = new Set<string>();
  return context.items.flatMap((item, index): Item[] => {
    const identity = keys.map((key) => stableText(access.get(item.json, key))).join('\u0000');
    if (seen.has(identity)) return [];
    seen.add(identity);
    return [
      { ...item, json: removesOthers ? picked(item.json, keys, access) : item.json, pairedItem: { item: index } },
    ];
  });
}

function comparedKeys(context: NodeContext, compare: 'allFields' | 'allFieldsExcept' | 'selectedFields'): string[] {
  if (compare === 'selectedFields') return named(context, 'fieldsToCompare', 'Please add a field to compare on');
  const byName = booleanParameter(context, 'options.disableDotNotation', 0);
  const keys = new Set(context.items.flatMap((item) => (byName ? Object.keys(item.json) : flatKeys(item.json))));
  if (compare === 'allFields') return [...keys];
  const excluded = named(context, 'fieldsToExclude', 'Please add a field to exclude from comparison');
  return [...keys].filter((key) => !excluded.includes(key));
}

function named(context: NodeContext, path: string, advice: string): string[] {
  const names = fieldNames(context, path, 0);
  if (names.length === 0) throw new NodeFailure(`No fields specified. ${advice}`);
  return names;
}

function requireComparable(
  items: readonly Item[],
  keys: readonly string[],
  access: FieldAccess,
  mixed: MixedTypes,
): void {
  for (const key of keys) {
    let known: string | undefined;
    for (const [index, item] of items.entries()) {
      const value = access.get(item.json, key);
      if (value === undefined)
        throw new NodeFailure(`'${key}' field is missing from some input items`, { itemIndex: index });
      if (mixed === 'allowed' || (mixed === 'null' && value === null)) continue;
      if (known !== undefined && known !== typeof value) {
        throw new NodeFailure(`'${key}' isn't always the same type`, {
          itemIndex: index,
          description: `It is a ${known} in earlier items and a ${typeof value} in item ${index}.`,
        });
      }
      known = typeof value;
    }
  }
}

function picked(json: JsonObject, keys: readonly string[], access: FieldAccess): JsonObject {
  const kept: JsonObject = {};
  for (const key of keys) {
    const value = access.get(json, key);
    if (value !== undefined) access.set(kept, key, value);
  }
  return kept;
}
