import { isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import { prettyJson } from './control-of';
import { readJson, type Typed } from './conversions';

/** Items that can be pinned at once. */
export const MAX_PINNED = 1_000;

/** Pinned items as they are edited: without the wrapping where an item has nothing but its data. */
export function pinnedText(items: readonly Json[]): string {
  const isPlain = (item: Json): boolean => isJsonObject(item) && Object.keys(item).join() === 'json';
  return prettyJson(
    items.every(isPlain) ? items.map((item) => (isJsonObject(item) ? (item['json'] ?? {}) : item)) : [...items],
  );
}

/** Reads edited items: a list of items, or of their data; a single object is one item. */
export function readPinned(text: string): Typed {
  const read = readJson(text);
  if (!read.isValid) return read;
  const list = Array.isArray(read.value) ? read.value : [read.value];
  if (list.length > MAX_PINNED)
    return { isValid: false, why: `At most ${MAX_PINNED.toLocaleString('en')} items can be pinned.` };
  if (!list.every(isJsonObject)) return { isValid: false, why: 'Each item must be an object.' };
  const isWrapped = list.length > 0 && list.every((item) => isJsonObject(item['json']));
  return { isValid: true, value: isWrapped ? list : list.map((json) => ({ json })) };
}
