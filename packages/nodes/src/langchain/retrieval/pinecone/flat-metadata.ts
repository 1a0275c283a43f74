import type { Json, JsonObject } from '@weft/node-catalogue';

/**
 * Metadata as Pinecone takes it: strings, numbers and booleans, those within other values by paths with dots, and lists
 * of strings. Null and empty values are left out. Does not recurse, so that deep values are flattened too.
 */
export function flatMetadata(metadata: JsonObject): JsonObject {
  const flat: [string, Json][] = [];
  const open: [string, Json][] = Object.entries(metadata).toReversed();
  const lists = new Set(Object.keys(metadata).filter((name) => isListOfStrings(metadata[name])));
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [path, value] = entry;
    if (value === null) continue;
    if (typeof value !== 'object' || lists.has(path)) {
      if (!Array.isArray(value) || value.length > 0) flat.push([path, value]);
      continue;
    }
    const inner: [string, Json][] = Array.isArray(value)
      ? value.map((one, index) => [String(index), one])
      : Object.entries(value);
    for (const [name, one] of inner.toReversed()) open.push([`${path}.${name}`, one]);
  }
  return Object.fromEntries(flat);
}

const isListOfStrings = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
