import { type NodeExecutor, output, type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { type Json, type JsonObject, isJsonObject } from '@weft/node-catalogue';
import { mapItems } from '../shared/each-item';
import { booleanParameter, choiceParameter, namesParameter } from '../shared/read-parameter';
import type { FieldAccess } from '../set/include-fields';
import { fieldNames, listAccess, requiredFieldNames } from '../shared/lists/field-names';

/** Creates an item from each entry of an array. */
export const splitOut: NodeExecutor = {
  kind: 'splitOut',
  actsOutside: false,
  run: async (context) => output(await splitOutItems(context)),
};

/** Options for splitting one item. */
interface Split {
  readonly fields: readonly string[];
  readonly destinations: readonly string[];
  readonly include: 'noOtherFields' | 'allOtherFields' | 'selectedOtherFields';
  readonly others: readonly string[];
  readonly access: FieldAccess;
  /** Splits the files as well, into one item each. */
  readonly takesFiles: boolean;
}

/** Rules of the older versions. */
export interface SplitRules {
  /** True: a field that an item does not have is an error. */
  readonly needsFields: boolean;
  /** Values that can be split. With `anything`, other values count as their only entry. */
  readonly splits: 'anything' | 'lists and objects' | 'lists';
  /** Whether `$binary` stands for the files of an item. */
  readonly knowsFiles: boolean;
}

/** An item for each entry of an array (or each value of an object) in a field, linked to the item it comes from. */
export async function splitOutItems(
  context: NodeContext,
  { needsFields, splits, knowsFiles }: SplitRules = { needsFields: false, splits: 'anything', knowsFiles: true },
): Promise<Item[]> {
  const keepsBinary = booleanParameter(context, 'options.includeBinary', 0);
  const made = await mapItems(context, (item, index) => {
    const split = readSplit(context, index, knowsFiles);
    const missing = needsFields
      ? split.fields.find((field) => split.access.get(item.json, field) === undefined)
      : undefined;
    if (missing !== undefined)
      throw new NodeFailure(`Couldn't find the field '${missing}' in the input data`, { itemIndex: index });
    for (const field of split.fields) requireSplittable(split.access.get(item.json, field), field, splits, index);
    const binary = keepsBinary && item.binary !== undefined ? { binary: item.binary } : {};
    const files = split.takesFiles ? Object.entries(item.binary ?? {}) : [];
    const rows = splitJson(item.json, split);
    return Array.from({ length: Math.max(rows.length, files.length) }, (_, row): Item => {
      const file = files[row];
      const json = rows[row] ?? withOthers(item.json, {}, split);
      return {
        json,
        pairedItem: { item: index },
        ...(file === undefined ? binary : { binary: { [file[0]]: file[1] } }),
      };
    });
  });
  return made.flat();
}

/** @throws NodeFailure for a value that cannot be split by the rules of the version */
function requireSplittable(
  value: Json | undefined,
  field: string,
  splits: SplitRules['splits'],
  itemIndex: number,
): void {
  if (value === undefined || splits === 'anything' || Array.isArray(value)) return;
  const takesObjects = splits === 'lists and objects';
  if (takesObjects && isJsonObject(value)) return;
  throw new NodeFailure(`The provided field '${field}' is not an array${takesObjects ? ' or object' : ''}`, {
    itemIndex,
  });
}

/** The name that refers to the files of an item. */
const FILES = '$binary';

function readSplit(context: NodeContext, index: number, knowsFiles: boolean): Split {
  const names = requiredFieldNames(context, 'fieldToSplitOut', index, 'Fields To Split Out').map((name) =>
    name.replace(/^\$json\./, ''),
  );
  const destinations = namesParameter(context, 'options.destinationFieldName', index);
  if (destinations.length > 0 && destinations.length !== names.length) {
    throw new NodeFailure(
      'If multiple fields to split out are given, the same number of destination fields must be given',
      { itemIndex: index },
    );
  }
  const include = choiceParameter(
    context,
    'include',
    index,
    ['noOtherFields', 'allOtherFields', 'selectedOtherFields'],
    'noOtherFields',
  );
  const others = include === 'selectedOtherFields' ? fieldNames(context, 'fieldsToInclude', index) : [];
  if (include === 'selectedOtherFields' && others.length === 0)
    throw new NodeFailure("No fields specified in 'Fields To Include'", { itemIndex: index });
  const takesFiles = knowsFiles && names.includes(FILES);
  const isField = (_: string, at: number): boolean => !takesFiles || names[at] !== FILES;
  return {
    fields: names.filter(isField),
    destinations: destinations.filter(isField),
    include,
    others,
    access: listAccess(context),
    takesFiles,
  };
}

function splitJson(json: JsonObject, split: Split): JsonObject[] {
  const { fields, destinations, include, access } = split;
  const rows: JsonObject[] = [];
  fields.forEach((field, position) => {
    const destination = destinations[position] ?? '';
    // The fields of an object are spread if it needs no name and is the only value.
    const spreads = include === 'noOtherFields' && destination === '' && fields.length === 1;
    entriesOf(access.get(json, field)).forEach((entry, row) => {
      const added: JsonObject =
        spreads && typeof entry === 'object' && entry !== null
          ? Object.fromEntries(Object.entries(entry))
          : { [destination === '' ? field : destination]: entry };
      rows[row] = { ...rows[row], ...added };
    });
  });
  return rows.map((row) => withOthers(json, row, split));
}

function entriesOf(value: Json | undefined): Json[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [value];
}

function withOthers(json: JsonObject, row: JsonObject, { fields, include, others, access }: Split): JsonObject {
  switch (include) {
    case 'noOtherFields':
      return row;
    case 'allOtherFields': {
      const rest = { ...json };
      for (const field of fields) access.unset(rest, field);
      return { ...rest, ...row };
    }
    case 'selectedOtherFields': {
      const kept = others.flatMap((name): [string, Json][] => {
        const value = access.get(json, name);
        return value === undefined ? [] : [[name, value]];
      });
      return { ...row, ...Object.fromEntries(kept) };
    }
  }
}
