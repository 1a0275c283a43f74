import { isJsonObject, type Json } from '@weft/node-catalogue';

/** All strings in a value, in order. Does not recurse, so that deep values are read too. */
export function stringsIn(root: Json): string[] {
  const found: string[] = [];
  const open: Json[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') found.push(value);
    else {
      const inner = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
      for (const one of inner.toReversed()) open.push(one);
    }
  }
  return found;
}
