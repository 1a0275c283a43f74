import type { Json } from '@weft/node-catalogue';
import { field, isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { Fields } from '../settings';

/** A value as a string: objects and arrays as JSON, null as an empty string. */
export function textOf(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The entries `{ name, value }` of an array. Entries without a name are left out; a missing value is empty. */
export function fieldsOf(list: Json | undefined): Fields {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry) => {
    const name = field(entry, 'name');
    const value = field(entry, 'value');
    return name === undefined || name === null || name === ''
      ? []
      : [[textOf(name), value === undefined ? '' : value] as const];
  });
}

/**
 * A value that may be a JSON string. `label` is the name of the field as users see it.
 * @throws NodeFailure if it is a string that cannot be parsed
 */
export function jsonOf(given: Json | undefined, label: string): Json {
  if (typeof given !== 'string') return given ?? null;
  try {
    const parsed: Json = JSON.parse(given);
    return parsed;
  } catch (cause) {
    throw new NodeFailure(`The value in the "${label}" field is not valid JSON`, { cause });
  }
}

/**
 * The fields of an object that may be a JSON string; an empty string has none.
 * @throws NodeFailure if it is not an object
 */
export function jsonFields(given: Json | undefined, label: string): Fields {
  if (given === undefined || (typeof given === 'string' && given.trim() === '')) return [];
  const value = jsonOf(given, label);
  if (!isJsonObject(value)) throw new NodeFailure(`The value in the "${label}" field is not a JSON object`);
  return Object.entries(value);
}

/** Each name once. A repeated name has an array of its values since version 4.3; before, the last value counts. */
export function byName(fields: Fields, version: number): Fields {
  const values = new Map<string, Json>();
  for (const [name, value] of fields) {
    const present = values.get(name);
    if (present === undefined || version < 4.3) values.set(name, value);
    else values.set(name, [...(Array.isArray(present) ? present : [present]), value]);
  }
  return [...values];
}
