import type { Json } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import { toJson } from '@weft/expressions';
import { parseLooseJson, parseStrictJson } from './loose-json';

/** Types that fields and conditions are declared with. */
export type FieldType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'dateTime';

/**
 * The converted value, or a failure. Empty values (`null`, `undefined`) match every type.
 */
export type Conversion = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

const FAILED: Conversion = { ok: false };

/**
 * Converts a value to a type without loss: `"1"` to 1, `"true"` to true, JSON strings to arrays and objects.
 * @param strict only accepts values that already have the type; strings may still be dates
 * @param timezone IANA zone of date strings without one
 */
export function convertValue(
  type: FieldType,
  value: unknown,
  options: { strict?: boolean; timezone: string },
): Conversion {
  if (value === null || value === undefined) return { ok: true, value };
  switch (type) {
    case 'string':
      return convertToText(value, options.strict === true);
    case 'number':
      return options.strict === true && typeof value !== 'number' ? FAILED : convertToNumber(value);
    case 'boolean':
      return options.strict === true && typeof value !== 'boolean' ? FAILED : convertToBoolean(value);
    case 'array':
      return options.strict === true && !Array.isArray(value) ? FAILED : convertToList(value);
    case 'object':
      return options.strict === true && typeof value !== 'object' ? FAILED : convertToObject(value);
    case 'dateTime':
      return convertToDateTime(value, options.timezone);
  }
}

function convertToText(value: unknown, strict: boolean): Conversion {
  if (typeof value === 'string') return { ok: true, value };
  if (strict) return FAILED;
  return { ok: true, value: typeof value === 'object' ? JSON.stringify(toJson(value)) : String(value) };
}

/** As JavaScript converts it: an array counts by its string form, so that an array of one number is that number. */
function convertToNumber(value: unknown): Conversion {
  const number = Number(Array.isArray(value) ? textOfList(value) : isOther(value) ? NaN : value);
  return Number.isNaN(number) ? FAILED : { ok: true, value: number };
}

function convertToBoolean(value: unknown): Conversion {
  if (typeof value === 'boolean') return { ok: true, value };
  const text = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' };
  if (text?.trim() === '') return FAILED;
  const number = convertToNumber(value);
  return number.ok && (number.value === 0 || number.value === 1) ? { ok: true, value: number.value === 1 } : FAILED;
}

function convertToList(value: unknown): Conversion {
  const list =
    typeof value === 'string' ? (parseStrictJson(value) ?? parseStrictJson(value.replaceAll("'", '"'))) : value;
  return Array.isArray(list) ? { ok: true, value: list } : FAILED;
}

function convertToObject(value: unknown): Conversion {
  const object: unknown = typeof value === 'string' ? parseLooseJson(value) : value;
  return typeof object === 'object' && !Array.isArray(object) ? { ok: true, value: object } : FAILED;
}

function convertToDateTime(value: unknown, zone: string): Conversion {
  const date = dateTimeOf(value, zone);
  return date?.isValid === true ? { ok: true, value: date } : FAILED;
}

function dateTimeOf(value: unknown, zone: string): DateTime | undefined {
  if (DateTime.isDateTime(value)) return value;
  if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
  if (isOther(value)) return undefined;
  const text = (Array.isArray(value) ? textOfList(value) : String(value)).trim();
  const readers = [DateTime.fromISO, DateTime.fromHTTP, DateTime.fromRFC2822, DateTime.fromSQL];
  for (const read of readers) {
    const date = read(text, { zone, setZone: true });
    if (date.isValid) return date;
  }
  // Everything else that JavaScript accepts as a date, such as `1-Feb-2024`, or 5 for the month of May.
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? undefined : DateTime.fromMillis(millis, { zone });
}

/** The string form of an array in JavaScript. Not for nested arrays and objects, which may call user code. */
function textOfList(list: readonly unknown[]): string {
  let entries = list;
  for (let [only] = entries; entries.length === 1 && Array.isArray(only); [only] = entries) entries = only;
  return entries.some((entry) => typeof entry === 'object' && entry !== null) ? 'a list' : entries.join(',');
}

/** True for an object that is neither an array nor a date. */
function isOther(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date) && !DateTime.isDateTime(value);
}

/** The value for messages: its type, or a quoted string. */
export function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null) return 'object';
  return `'${String(value)}'`;
}

/** The JSON of a value in an item; null if it has none. */
export function jsonOrNull(value: unknown): Json {
  return toJson(value) ?? null;
}
