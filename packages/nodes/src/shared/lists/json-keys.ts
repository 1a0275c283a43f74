import type { Json, JsonObject } from '@weft/node-catalogue';

/**
 * Paths to every value of an object that is not itself an object or array: `a.b`, `list.0`. Empty objects and arrays
 * have none.
 */
export function flatKeys(json: JsonObject): string[] {
  const keys: string[] = [];
  const collect = (value: Json, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      keys.push(path);
      return;
    }
    for (const [key, entry] of Object.entries(value)) collect(entry, path === '' ? key : `${path}.${key}`);
  };
  collect(json, '');
  return keys;
}

/** Returns the same string for equal values, regardless of field order, and different strings for different values. */
export function stableText(value: Json | undefined): string {
  if (value === undefined) return 'undefined';
  if (Array.isArray(value)) return `[${value.map(stableText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stableText(value[key])}`);
  return `{${fields.join(',')}}`;
}
