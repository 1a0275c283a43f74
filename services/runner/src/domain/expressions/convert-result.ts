import type { Json } from '@weft/node-catalogue';

/** The JSON form of a result: dates as ISO text, what JSON cannot hold left out or null, as `JSON.stringify` has it. Undefined stays undefined. */
export function toJson(value: unknown): Json | undefined {
  return typeof value === 'string' ? value : null;
}

/** The text form of a result, as a part of a longer text has it: null and undefined are empty, objects `[object Object]`. */
export function toText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
