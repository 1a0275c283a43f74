import { DateTime } from 'luxon';
import moment from 'moment';
import { parseDate } from '@weft/expressions';

/** Maximum length of text that is read as a date. */
const MAX_TEXT_LENGTH = 1_000;
/** Number of digits from which a whole number is milliseconds and not seconds. */
const MILLISECOND_DIGITS = 12;
/** The end of a text in ISO 8601 that states its offset. */
const ISO_OFFSET = /[T ].*(?:[+-]\d\d(?::?\d\d)?|Z)$/;

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
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? readText(value, zone, zone) : readTimestamp(number, zone);
}

/**
 * The moment that a string in one of the usual forms represents; texts that are not ISO 8601 are read in `looseZone` if
 * they have no offset. A text in ISO 8601 with a day or an hour that does not exist is none.
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
 * separators may differ, numbers may be shorter, and more text may follow.
 */
export function readFormatted(text: string, format: string, zone: string, isStrict: boolean): DateTime | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const read = moment.utc(text, format, isStrict);
  if (!read.isValid()) return undefined;
  const { unusedTokens } = read.parsingFlags();
  const [absolute] = /[ZXx]/.exec(format.replace(/\[[^\]]*\]/g, '')) ?? [];
  return inZone(read, zone, absolute !== undefined && !unusedTokens.some((token) => token.includes(absolute)));
}

/** A number as seconds or milliseconds. */
export function readTimestamp(value: number, zone: string): DateTime | undefined {
  const isSeconds = !Number.isInteger(value) || String(value).length < MILLISECOND_DIGITS;
  return readMillis(Math.round(isSeconds ? value * 1_000 : value), zone);
}

/** Milliseconds since 1970; undefined if they are not a moment. */
export function readMillis(millis: number, zone: string): DateTime | undefined {
  return Number.isFinite(millis) ? valid(DateTime.fromMillis(millis, { zone })) : undefined;
}

/** A moment that was read as UTC: as it is if the text said so, else the same time of day in the zone. */
function inZone(read: moment.Moment, zone: string, isAbsolute: boolean): DateTime | undefined {
  const date = readMillis(read.valueOf(), 'UTC');
  return date?.setZone(zone, { keepLocalTime: !isAbsolute });
}

function valid(date: DateTime): DateTime | undefined {
  return date.isValid ? date : undefined;
}
