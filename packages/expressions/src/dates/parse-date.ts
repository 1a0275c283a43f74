import { LIMITS } from '../limits';
import { fromLocal } from './local-time';

const NAMES_A_ZONE = /(?:\dZ|\bZ|\bUTC|\bGMT|\b[ECMP][SD]T|[+-]\d{2}:?\d{2})(?:\s*\(.*\))?$/i;
const DATE_ALONE = /^[+-]?\d{4,6}(?:-\d{2}(?:-\d{2})?)?$/;

/**
 * Result of `Date.parse`, with texts that name no zone read as local time of `zone`; NaN for what is not a date.
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

const MAX_FIELDS = 16;
/** Fields that a letter standing for a whole date or time is made of. */
const FIELDS_OF_MACRO = 5;

/**
 * True if a string may be read by this luxon format. Each field of a format can match in a few ways, and a string that
 * fits none is tried in all their combinations: so their number is bounded. No usual format has more than ten.
 */
export function isReadableFormat(format: string): boolean {
  const unquoted = format.replace(/'[^']*'/g, ' ');
  let fields = 0;
  for (const [run] of unquoted.matchAll(/([a-z])\1*/gi)) fields += /[DtTfF]/.test(run) ? FIELDS_OF_MACRO : 1;
  return fields <= MAX_FIELDS;
}
