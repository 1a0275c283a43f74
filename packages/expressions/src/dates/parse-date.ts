import { LIMITS } from '../limits';
import { fromLocal } from './local-time';

/** For at most 1,000 characters: `parseDate` refuses longer strings. */
const NAMES_A_ZONE = /(?:\dZ|\bZ|\bUTC|\bGMT|\b[ECMP][SD]T|[+-]\d{2}:?\d{2})(?:\s*\(.*\))?$/i;
const DATE_ALONE = /^[+-]?\d{4,6}(?:-\d{2}(?:-\d{2})?)?$/;

/**
 * Result of `Date.parse`, with strings that name no zone read as local time of `zone`; NaN for an invalid date.
 * Dates alone in ISO form are UTC, as JavaScript has it.
 */
export function parseDate(text: string, zone: string): number {
  if (text.length > LIMITS.dateTextLength) return Number.NaN;
  const trimmed = text.trim();
  if (DATE_ALONE.test(trimmed) || NAMES_A_ZONE.test(withoutDate(trimmed))) return Date.parse(trimmed);
  const isIso = /^[+-]?\d{4,6}-\d{2}-\d{2}T/.test(trimmed);
  return fromLocal(Date.parse(isIso ? `${trimmed}Z` : `${trimmed} UTC`), zone);
}

/** Rest after an ISO date, so that its hyphens are not taken for the sign of an offset. */
function withoutDate(text: string): string {
  return text.replace(/^\d{4}-\d{2}-\d{2}/, '');
}

/** Maximum number of ways in which the fields of a format may share a text. Usual formats have 2 to 5,000. */
const MAX_WAYS = 100_000;

/**
 * Number of lengths of text that a field of a luxon format matches, by its letters: `y` matches one to six digits.
 * Names of months and days count as two, since one may begin like another. Source: luxon's TokenParser. Fields that
 * are not here match strings of one length, or only themselves.
 */
const LENGTHS: Readonly<Record<string, number>> = {
  ...{ y: 6, yy: 3, yyyyy: 3, kk: 3, o: 3, S: 3, u: 9, uu: 2, z: 256 },
  ...{ M: 2, L: 2, d: 2, H: 2, h: 2, m: 2, s: 2, W: 2, q: 2 },
  ...{ G: 2, a: 2, MMM: 2, MMMM: 2, LLL: 2, LLLL: 2, EEE: 2, EEEE: 2, ccc: 2, cccc: 2 },
  ...{ Z: 4, ZZ: 4, ZZZ: 4 },
};
/** A letter that stands for a date or time: month, day, hour, minute and second in one or two digits, AM or PM. */
const LENGTHS_OF_MACRO = 2 ** 6;

const lengthsOf = (field: string): number => LENGTHS[field] ?? (/[DtTfF]/.test(field) ? LENGTHS_OF_MACRO : 1);

/**
 * True if a string may be read by this luxon format. Each field matches strings of several lengths, and a string that
 * fits none is tried in all their combinations: so their number is bounded.
 */
export function isReadableFormat(format: string): boolean {
  if (format.length > LIMITS.dateTextLength) return false;
  const unquoted = format.replace(/'[^']*'/g, ' ');
  let ways = 1;
  // At most 1,000 characters.
  for (const [field] of unquoted.matchAll(/([a-z])\1*/gi)) ways *= lengthsOf(field);
  return ways <= MAX_WAYS;
}
