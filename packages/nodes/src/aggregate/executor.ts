import {
  type NodeExecutor,
  output,
  type BinaryReference,
  type Item,
  type NodeContext,
  NodeFailure,
} from '@weft/engine';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { booleanParameter, choiceParameter, nameOf, objectsParameter, textParameter } from '../shared/read-parameter';
import { fieldNames, listAccess } from '../shared/lists/field-names';

/** Aggregates all items into one. */
export const aggregate: NodeExecutor = {
  kind: 'aggregate',
  actsOutside: false,
  run: (context) => output([aggregateItems(context)]),
};

/**
 * Creates one item from all: arrays of field values, or one array of all items. It is linked to all input items.
 * @param needsFields true: a field that no item has is an error
 */
export function aggregateItems(context: NodeContext, needsFields = false): Item {
  const all =
    choiceParameter(context, 'aggregate', 0, ['aggregateIndividualFields', 'aggregateAllItemData']) ===
    'aggregateAllItemData';
  const binary = booleanParameter(context, 'options.includeBinaries', 0)
    ? allBinaries(context.items, booleanParameter(context, 'options.keepOnlyUnique', 0))
    : {};
  if (all) return { ...allItemData(context), ...binary };
  const pairedItem = context.items.map((_, item) => ({ item }));
  return { json: individualFields(context, needsFields), pairedItem, ...binary };
}

function individualFields(context: NodeContext, needsFields: boolean): JsonObject {
  const fields = objectsParameter(context, 'fieldsToAggregate.fieldToAggregate', 0);
  if (fields.length === 0)
    throw new NodeFailure('No fields specified', { description: 'Please add a field to aggregate' });
  const access = listAccess(context);
  const json: JsonObject = {};
  const used = new Set<string>();
  for (const entry of fields) {
    const field = nameOf(entry['fieldToAggregate']);
    const name = outputName(context, entry, field);
    if (used.has(name))
      throw new NodeFailure(`The '${name}' output field is used more than once`, {
        description: 'Give each field another name.',
      });
    used.add(name);
    if (needsFields && context.items.every((item) => access.get(item.json, field) === undefined))
      throw new NodeFailure(`Couldn't find the field '${field}' in the input data`);
    if (field !== '') access.set(json, name, valuesOf(context, field));
  }
  return json;
}

function outputName(context: NodeContext, entry: Record<string, unknown>, field: string): string {
  const given = nameOf(entry['outputFieldName']);
  if (entry['renameField'] === true && given !== '') return given;
  const isPath = !booleanParameter(context, 'options.disableDotNotation', 0);
  return isPath ? (field.split('.').at(-1) ?? field) : field;
}

function valuesOf(context: NodeContext, field: string): Json[] {
  const keepMissing = booleanParameter(context, 'options.keepMissing', 0);
  const mergeLists = booleanParameter(context, 'options.mergeLists', 0);
  const access = listAccess(context);
  return context.items.flatMap((item): Json[] => {
    const value = access.get(item.json, field);
    if (!Array.isArray(value)) return value === undefined || value === null ? (keepMissing ? [null] : []) : [value];
    const entries = keepMissing ? value : value.filter((entry) => entry !== null);
    return mergeLists ? entries : [entries];
  });
}

/** An array of the items, linked to those that have any of the fields. */
function allItemData(context: NodeContext): Pick<Item, 'json' | 'pairedItem'> {
  const include = choiceParameter(
    context,
    'include',
    0,
    ['allFields', 'specifiedFields', 'allFieldsExcept'],
    'allFields',
  );
  const names = new Set(
    include === 'allFields'
      ? []
      : fieldNames(context, include === 'specifiedFields' ? 'fieldsToInclude' : 'fieldsToExclude', 0),
  );
  const pick = (json: JsonObject): JsonObject[] => {
    if (names.size === 0) return [json];
    const kept = Object.entries(json).filter(([key]) => names.has(key) === (include === 'specifiedFields'));
    return kept.length === 0 ? [] : [Object.fromEntries(kept)];
  };
  const picked = context.items.map((item) => pick(item.json));
  return {
    json: { [textParameter(context, 'destinationFieldName', 0, 'data')]: picked.flat() },
    pairedItem: picked.flatMap((kept, item) => (kept.length === 0 ? [] : [{ item }])),
  };
}

/**
 * Files of all items in one item. If several files have the same name, all but the first get a number. If configured,
 * only the first of identical files is included.
 */
function allBinaries(items: readonly Item[], onlyUnique: boolean): Pick<Item, 'binary'> {
  const all = new Map<string, BinaryReference>();
  const seen = new Set<string>();
  for (const item of items) {
    for (const [name, file] of Object.entries(item.binary ?? {})) {
      const identity = JSON.stringify([file.mimeType, file.fileExtension, file.fileSize]);
      if (onlyUnique && seen.has(identity)) continue;
      seen.add(identity);
      all.set(all.has(name) ? `${name}_${all.size}` : name, file);
    }
  }
  return all.size === 0 ? {} : { binary: Object.fromEntries(all) };
}
