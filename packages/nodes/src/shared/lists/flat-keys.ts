import type { Json, JsonObject } from '@weft/node-catalogue';

/**
 * Paths to every value of an object that is no object or list itself: `a.b`, `list.0`. Empty objects and lists have
 * none.
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
