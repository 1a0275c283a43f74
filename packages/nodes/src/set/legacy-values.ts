import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item, NodeContext } from '@weft/engine';
import { booleanParameter, objectsParameter } from '../shared/read-parameter';
import { jsonOrNull } from '../shared/values/convert-value';
import { clearField, fieldAccess } from './include-fields';

const TYPES = [
  { type: 'boolean', initial: false },
  { type: 'number', initial: 0 },
  { type: 'string', initial: '' },
] as const;

/** The item that a Set node before version 3 creates from one item: values by type, set one after the other. */
export function setLegacyValues(context: NodeContext, itemIndex: number): Item {
  const item = context.items[itemIndex];
  const keepOnlySet = booleanParameter(context, 'keepOnlySet', itemIndex);
  const access = fieldAccess(context, itemIndex);
  const json: JsonObject = keepOnlySet ? {} : { ...item?.json };
  for (const { type, initial } of TYPES) {
    for (const entry of valuesOf(context, type, itemIndex)) {
      const name = entry['name'] === undefined ? 'propertyName' : String(entry['name']);
      const value = 'value' in entry ? entry['value'] : initial;
      // An undefined expression leaves the field out, even if the input item has it.
      if (value === undefined && type !== 'boolean') clearField(json, name, access);
      else access.set(json, name, legacyValue(type, value, context.version));
    }
  }
  const binary = keepOnlySet ? undefined : item?.binary;
  return { json, pairedItem: { item: itemIndex }, ...(binary === undefined ? {} : { binary }) };
}

/** All values of a type; none if one of them fails and the older option continues on failure. */
function valuesOf(context: NodeContext, type: string, itemIndex: number): ReturnType<typeof objectsParameter> {
  try {
    return objectsParameter(context, `values.${type}`, itemIndex);
  } catch (thrown) {
    if (context.node.continueOnFail !== true) throw thrown;
    return [];
  }
}

/** A boolean is the truthiness of the value. From version 2 on, a numeric string becomes a number. */
function legacyValue(type: string, value: unknown, version: number): Json {
  if (type === 'boolean') return Boolean(value);
  if (type === 'number' && version >= 2 && typeof value === 'string' && !Number.isNaN(Number(value)))
    return Number(value);
  return jsonOrNull(value);
}
