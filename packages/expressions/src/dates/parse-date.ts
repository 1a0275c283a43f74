import { LIMITS } from '../limits';
import { fromLocal } from './local-time';

const NAMES_A_ZONE = /(?:\dZ|\bZ|\bUTC|\bGMT|\b[ECMP][SD]T|[+-]\d{2}:?\d{2})(?:\s*\(.*\))?$/i;
const DATE_ALONE = /^[+-]?\d{4,6}(?:-\d{2}(?:-\d{2})?)?$/;

/**
 * What `Date.parse` gives, with texts that name no zone read as local time of `zone`; NaN for what is no date.
 * Dates alone in ISO form are UTC, as JavaScript has it.
 */
export function parseDate(text: string, zone: string): number {
  if (text.length > LIMITS.dateTextLength) return Number.NaN;
  const trimmed = text.trim();
  if (DATE_ALONE.test(trimmed) || NAMES_A_ZONE.test(withoutDate(trimmed))) return Date.parse(trimmed);
  const isIso = /^[+-]?\d{4,6}-\d{2}-\d{2}T/.test(trimmed);
  return fromLocal(Date.parse(isIso ? `${trimmed}Z` : `${trimmed} UTC`), zone);
}

/** What follows an ISO date, so that its hyphens are not taken for the sign of an offset. */
function withoutDate(text: string): string {
  return text.replace(/^\d{4}-\d{2}-\d{2}/, '');
}
