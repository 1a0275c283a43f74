import { isJsonObject, type Json, type JsonObject, listField, objectField } from '@weft/node-catalogue';
import { isEqualJson } from '@weft/service-kit/json';

/**
 * The JSON Schema of values like an example. Entries of a list are described together: fields of objects are merged,
 * and fields that all of several objects have are required.
 * @param allRequired true if every field is required
 */
export function schemaOfExample(example: Json, allRequired: boolean): JsonObject {
  if (Array.isArray(example)) return { type: 'array', items: itemsOf(example, allRequired) };
  if (!isJsonObject(example)) return { type: example === null ? 'null' : typeof example };
  const properties = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, schemaOfExample(value, allRequired)]),
  );
  return objectOf(properties, allRequired ? Object.keys(properties) : []);
}

function objectOf(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required: [...required] }) };
}

function itemsOf(entries: readonly Json[], allRequired: boolean): JsonObject {
  const [first, ...others] = entries.map((entry) => schemaOfExample(entry, allRequired));
  if (first === undefined) return {};
  const merged = others.reduce((one, other) => merge(one, other, allRequired), first);
  const objects = entries.filter(isJsonObject);
  if (allRequired || objects.length < 2 || objects.length < entries.length) return merged;
  const common = Object.keys(objects[0] ?? {}).filter((name) => objects.every((one) => Object.hasOwn(one, name)));
  return objectOf(objectField(merged, 'properties') ?? {}, common);
}

function merge(one: JsonObject, other: JsonObject, allRequired: boolean): JsonObject {
  if (isEqualJson(one, other)) return one;
  if (one['type'] === 'object' && other['type'] === 'object') return mergeObjects(one, other, allRequired);
  const all = [...alternativesOf(one), ...alternativesOf(other)];
  const distinct = all.filter((schema, at) => all.findIndex((earlier) => isEqualJson(earlier, schema)) === at);
  return distinct.length === 1 ? one : { anyOf: distinct };
}

function mergeObjects(one: JsonObject, other: JsonObject, allRequired: boolean): JsonObject {
  const properties = new Map(Object.entries(objectField(one, 'properties') ?? {}));
  for (const [name, schema] of Object.entries(objectField(other, 'properties') ?? {})) {
    const known = properties.get(name);
    properties.set(name, isJsonObject(known) && isJsonObject(schema) ? merge(known, schema, allRequired) : schema);
  }
  return objectOf(Object.fromEntries(properties), allRequired ? [...properties.keys()] : []);
}

function alternativesOf(schema: JsonObject): JsonObject[] {
  const alternatives = listField(schema, 'anyOf').filter(isJsonObject);
  return alternatives.length === 0 ? [schema] : alternatives;
}
