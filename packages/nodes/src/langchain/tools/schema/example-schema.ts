import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';

/** Entries of a list that are looked at. */
const MAX_ENTRIES = 100;
/** Nesting beyond which any value is accepted. */
const MAX_DEPTH = 20;

/**
 * The JSON Schema of values like an example.
 * @param requiresAll true if every field of the example is required
 */
export function exampleSchema(example: Json, requiresAll: boolean): JsonObject {
  return schemaOf(example, requiresAll, 0);
}

function schemaOf(value: Json, requiresAll: boolean, depth: number): JsonObject {
  if (value === null || depth > MAX_DEPTH) return {};
  if (Array.isArray(value)) return { type: 'array', ...itemsOf(value, requiresAll, depth + 1) };
  if (isJsonObject(value)) {
    const names = Object.keys(value).filter((name) => name !== '__proto__');
    const properties = names.map((name) => [name, schemaOf(value[name] ?? null, requiresAll, depth + 1)]);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(requiresAll && names.length > 0 ? { required: names } : {}),
    };
  }
  return { type: typeof value };
}

/** One schema for all entries: that of the fields of all objects, or of the only type. */
function itemsOf(values: readonly Json[], requiresAll: boolean, depth: number): { readonly items?: JsonObject } {
  const entries = values.slice(0, MAX_ENTRIES);
  const [first] = entries;
  if (first === undefined) return {};
  if (entries.every(isJsonObject)) {
    const merged: JsonObject = Object.assign({}, ...entries.toReversed());
    const items = schemaOf(merged, requiresAll, depth);
    const shared = Object.keys(merged).filter((name) => entries.every((entry) => Object.hasOwn(entry, name)));
    return { items: requiresAll && shared.length > 0 ? { ...items, required: shared } : items };
  }
  const items = schemaOf(first, requiresAll, depth);
  return entries.every((entry) => typeof entry === typeof first) ? { items } : {};
}
