import { type NodeContext, NodeFailure } from '@weft/engine';
import { field, isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { toJson } from '@weft/expressions';
import { nameOf, objectsParameter } from '../../../shared/read-parameter';

const MAX_NAME = 200;

/**
 * The name of a resource of a store, such as an index, in a resource locator or as text.
 * @param label as forms call the parameter
 * @throws NodeFailure if it is empty or too long
 */
export function resourceName(context: NodeContext, path: string, itemIndex: number, label: string): string {
  const given = toJson(context.parameter(path, itemIndex));
  const value = given !== undefined && isJsonObject(given) ? field(given, 'value') : given;
  const name = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  if (name === '') throw new NodeFailure(`"${label}" of "${context.node.name}" is empty for this item`, { itemIndex });
  if (name.length > MAX_NAME)
    throw new NodeFailure(`"${label}" of "${context.node.name}" has more than ${MAX_NAME} characters`, { itemIndex });
  return name;
}

/** The option "Metadata filter": values by the names of metadata; undefined if it has none. */
export function metadataFilter(context: NodeContext, itemIndex: number): JsonObject | undefined {
  const entries = objectsParameter(context, 'options.metadata.metadataValues', itemIndex).flatMap(
    ({ name, value }): [string, Json][] => {
      const key = nameOf(name);
      return key === '' || key === '__proto__' ? [] : [[key, toJson(value) ?? null]];
    },
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * An option that is a JSON object, as text or as a value; undefined if it is empty.
 * @throws NodeFailure for anything else
 */
export function objectOption(
  context: NodeContext,
  path: string,
  itemIndex: number,
  label: string,
): JsonObject | undefined {
  const given = toJson(context.jsonParameter(path, itemIndex));
  if (given === undefined || given === null || given === '') return undefined;
  const value = typeof given === 'string' ? parsed(given) : given;
  if (value === undefined || !isJsonObject(value))
    throw new NodeFailure(`"${label}" of "${context.node.name}" must be a JSON object`, { itemIndex });
  return value;
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
