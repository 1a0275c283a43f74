import { DateTime } from 'luxon';
import { parseDate } from '@weft/expressions';

/** Maximum length of text that is read as a date. */
const MAX_TEXT_LENGTH = 1_000;
/** Number of digits from which a whole number is milliseconds and not seconds. */
const MILLISECOND_DIGITS = 12;

/**
 * The moment that a value represents, undefined if none: a DateTime or a date; a number, or a string that is one, of
 * seconds, or of milliseconds if it has 12 digits or more; a string in ISO 8601 or RFC 2822, or as JavaScript reads
 * dates. Texts without an offset are read in `zone`. The result is in `zone`, apart from a DateTime, which retains its
 * own.
 */
export function readDate(value: unknown, zone: string): DateTime | undefined {
  if (DateTime.isDateTime(value)) return valid(value);
  if (value instanceof Date) return valid(DateTime.fromJSDate(value, { zone }));
  if (typeof value === 'number') return readTimestamp(value, zone);
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) return undefined;
  const text = value.trim();
  if (text === '') return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? readText(text, zone, zone) : readTimestamp(number, zone);
}

/**
 * The moment that a string in one of the usual forms represents; texts that are not ISO 8601 are read in `looseZone` if
 * they have no offset.
 */
export function readText(text: string, zone: string, looseZone: string): DateTime | undefined {
  const standard = valid(DateTime.fromISO(text, { zone })) ?? valid(DateTime.fromRFC2822(text, { zone }));
  if (standard !== undefined) return standard;
  const millis = parseDate(text, looseZone);
  return Number.isFinite(millis) ? valid(DateTime.fromMillis(millis, { zone })) : undefined;
}

/** A number as seconds or milliseconds. */
export function readTimestamp(value: number, zone: string): DateTime | undefined {
  if (!Number.isFinite(value)) return undefined;
  const isSeconds = !Number.isInteger(value) || String(value).length < MILLISECOND_DIGITS;
  return valid(DateTime.fromMillis(Math.round(isSeconds ? value * 1_000 : value), { zone }));
}

function valid(moment: DateTime): DateTime | undefined {
  return moment.isValid ? moment : undefined;
}
