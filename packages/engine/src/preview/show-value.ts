import { toJson, toText } from '@weft/expressions';
import type { Json } from '@weft/node-catalogue/definitions';
import { DateTime } from 'luxon';

/** Characters of a value that a preview shows. */
const MAX_TEXT = 2_000;
/** Characters of the JSON of a value that is passed on as a whole. */
const MAX_JSON = 20_000;

/** A value as a preview shows it. */
export interface ShownValue {
  /** `string`, `number`, `boolean`, `null`, `undefined`, `array`, `object`, `date` and so on. */
  readonly type: string;
  readonly text: string;
  /** True if `text` is only the beginning. */
  readonly isCut: boolean;
  /** The value; absent if it is long. */
  readonly json?: Json;
}

/** The type of a value in words of the language. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date || DateTime.isDateTime(value)) return 'date';
  return typeof value;
}

/** Shows a value of an expression. @throws ExpressionError for a value that is too large */
export function showValue(value: unknown): ShownValue {
  const type = typeOf(value);
  if (value === undefined) return { type, text: '', isCut: false };
  const json = toJson(value);
  // JSON has no NaN and no infinity, and would show null.
  const isPlain = json === undefined || (typeof value === 'number' && !Number.isFinite(value));
  const text = typeof json === 'string' ? json : isPlain ? toText(value) : JSON.stringify(json);
  return {
    type,
    text: text.slice(0, MAX_TEXT),
    isCut: text.length > MAX_TEXT,
    ...(json !== undefined && text.length <= MAX_JSON && { json }),
  };
}

/** The beginning of a value, next to its name in a list. */
export function briefValue(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.length === 1 ? '1 entry' : `${value.length} entries`;
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60));
  if (typeof value === 'object' && value !== null && !(value instanceof Date) && !DateTime.isDateTime(value))
    return `{ ${Object.keys(value).slice(0, 3).join(', ')} }`.slice(0, 60);
  return toText(value).slice(0, 60);
}
