import type { JsonObject } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { mapItems } from '../shared/each-item';
import { booleanParameter, choiceParameter, numberParameter } from '../shared/read-parameter';
import { fileFields } from './file-fields';
import { type FieldAccess, fieldAccess, includedFields } from './include-fields';
import { setLegacyValues } from './legacy-values';
import { manualEntries, manualFields } from './manual-fields';
import { rawJson } from './raw-json';
import { typedValue } from './typed-field';

/** Maximum number of copies of an item from the option to repeat it. */
const MAX_COPIES = 10_000;

/** Creates a new item from every item. */
export const set: NodeExecutor = {
  kind: 'set',
  actsOutside: false,
  run: async (context) => {
    const items = await mapItems(context, (_, index) =>
      after(setItem(context, index), (item) => repeated(context, index, item)),
    );
    return output(items.flat());
  },
};

/** Continues with a value, at once unless it is awaited. */
const after = <Value, Next>(value: Value | Promise<Value>, next: (value: Value) => Next): Next | Promise<Next> =>
  value instanceof Promise ? value.then(next) : next(value);

function setItem(context: NodeContext, index: number): Item | Promise<Item> {
  if (context.version < 3) return setLegacyValues(context, index);
  const failed = (failure: unknown): Item => {
    if (!context.continueOnFail || context.signal.aborted) throw failure;
    // Workflows rely on this form of a failed item, including the item linking within its JSON.
    return { json: { error: messageOf(failure), pairedItem: { item: index } } };
  };
  try {
    const item = setFields(context, index);
    return item instanceof Promise ? item.catch(failed) : item;
  } catch (failure) {
    return failed(failure);
  }
}

function setFields(context: NodeContext, index: number): Item | Promise<Item> {
  const access = fieldAccess(context, index);
  const json = includedFields(context, index, access);
  if (choiceParameter(context, 'mode', index, ['manual', 'raw'], 'manual') === 'raw') {
    rawFields(context, index, json, access);
    return withFiles(context, index, json);
  }
  return after(manualEntries(context, index), (entries) =>
    withFiles(context, index, json, typedFields(context, index, entries, json, access)),
  );
}

function withFiles(context: NodeContext, index: number, json: JsonObject, added?: Item['binary']): Item {
  const kept = keepsBinary(context, index) ? context.items[index]?.binary : undefined;
  const pairedItem = { item: index };
  if (added === undefined && kept === undefined) return { json, pairedItem };
  const binary = { ...kept, ...added };
  return { json, pairedItem, ...(Object.keys(binary).length === 0 ? {} : { binary }) };
}

function rawFields(context: NodeContext, index: number, json: JsonObject, access: FieldAccess): void {
  for (const [name, value] of Object.entries(rawJson(context, index))) access.set(json, name, value);
}

/** Writes the fields into the JSON. @returns the files among them */
function typedFields(
  context: NodeContext,
  index: number,
  entries: readonly Record<string, unknown>[],
  json: JsonObject,
  access: FieldAccess,
): Item['binary'] {
  const ignoreConversionErrors = booleanParameter(context, 'options.ignoreConversionErrors', index);
  const { fields, files } = manualFields(context, entries, index);
  for (const field of fields)
    access.set(json, field.name, typedValue(field, { context, itemIndex: index, ignoreConversionErrors }));
  return files.length === 0 ? undefined : fileFields(context, index, files);
}

/** Before 3.4 files were included only if configured; since then with the other fields, unless excluded. */
function keepsBinary(context: NodeContext, index: number): boolean {
  if (context.version < 3.4) return booleanParameter(context, 'options.includeBinary', index);
  return (
    booleanParameter(context, 'includeOtherFields', index) && !booleanParameter(context, 'options.stripBinary', index)
  );
}

/** Only manual runs repeat items: the option is for trying out a workflow. */
function repeated(context: NodeContext, index: number, item: Item): Item[] {
  if (context.version < 3 || context.mode !== 'manual' || !booleanParameter(context, 'duplicateItem', index))
    return [item];
  const copies = Math.min(MAX_COPIES, Math.max(0, Math.floor(numberParameter(context, 'duplicateCount', index, 0))));
  return Array.from({ length: copies + 1 }, () => item);
}
