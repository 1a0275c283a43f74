import { DateTime } from 'luxon';
import moment from 'moment';
import { parseDate } from '@weft/expressions';

/** Maximum length of a string that is parsed as a date. */
const MAX_TEXT_LENGTH = 1_000;
/** Number of digits from which an integer is milliseconds instead of seconds. */
const MILLISECOND_DIGITS = 12;
/** The end of an ISO 8601 string with an offset, for at most 1,000 characters: see MAX_TEXT_LENGTH. */
const ISO_OFFSET = /[T ].*(?:[+-]\d\d(?::?\d\d)?|Z)$/;

/**
 * The moment that a value represents; undefined if it is not a date. The value is a DateTime or a Date; a number, or a
 * numeric string, of seconds, or of milliseconds from 12 digits on; or a string in ISO 8601, RFC 2822 or a format that
 * JavaScript parses. Strings without an offset are read in `zone`. The result is in `zone`, except that a DateTime
 * keeps its zone.
 */
export function readDate(value: unknown, zone: string): DateTime | undefined {
  if (DateTime.isDateTime(value)) return valid(value);
  if (value instanceof Date) return valid(DateTime.fromJSDate(value, { zone }));
  if (typeof value === 'number') return readTimestamp(value, zone);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? readText(value, zone, zone) : readTimestamp(number, zone);
}

/**
 * The moment that a string in one of the usual formats represents. Strings without an offset that are not ISO 8601 are
 * read in `looseZone`. An ISO 8601 string whose day or hour does not exist is not a date.
 */
export function readText(text: string, zone: string, looseZone: string): DateTime | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const standard = moment.utc(text, moment.ISO_8601);
  if (standard.isValid()) return inZone(standard, zone, ISO_OFFSET.test(text));
  const { iso, overflow } = standard.parsingFlags();
  if (iso && overflow >= 0) return undefined;
  const mail = moment.utc(text, moment.RFC_2822);
  return readMillis(mail.isValid() ? mail.valueOf() : parseDate(text, looseZone), zone);
}

/**
 * The moment that a string in a format of Moment.js represents. Without an offset it is in `zone`. Unless `isStrict`,
 * separators may differ, numbers may be shorter, and trailing text is ignored.
 */
export function readFormatted(text: string, format: string, zone: string, isStrict: boolean): DateTime | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const read = moment.utc(text, format, isStrict);
  if (!read.isValid()) return undefined;
  const { unusedTokens } = read.parsingFlags();
  // At most 200 characters: see checkedFormat.
  const [absolute] = /[ZXx]/.exec(format.replace(/\[[^\]]*\]/g, '')) ?? [];
  return inZone(read, zone, absolute !== undefined && !unusedTokens.some((token) => token.includes(absolute)));
}

/** A number as seconds or milliseconds. */
export function readTimestamp(value: number, zone: string): DateTime | undefined {
  const isSeconds = !Number.isInteger(value) || String(value).length < MILLISECOND_DIGITS;
  return readMillis(Math.round(isSeconds ? value * 1_000 : value), zone);
}

/** Milliseconds since 1970; undefined if out of range. */
export function readMillis(millis: number, zone: string): DateTime | undefined {
  return Number.isFinite(millis) ? valid(DateTime.fromMillis(millis, { zone })) : undefined;
}

/** A moment that was read as UTC: unchanged if the string has an offset, else the same time of day in the zone. */
function inZone(read: moment.Moment, zone: string, isAbsolute: boolean): DateTime | undefined {
  const date = readMillis(read.valueOf(), 'UTC');
  return date?.setZone(zone, { keepLocalTime: !isAbsolute });
}

function valid(date: DateTime): DateTime | undefined {
  return date.isValid ? date : undefined;
}
