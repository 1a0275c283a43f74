import { DateTime, IANAZone } from 'luxon';

/** Two days: no clock is further from UTC, and no zone changes twice within them. */
const AROUND_MS = 2 * 86_400_000;
const DAY_MS = 86_400_000;

/**
 * Milliseconds by which the zone's clock is ahead of UTC at an instant. A zone unknown to this machine counts as UTC.
 */
export const offsetAt = (zone: string, instant: number): number => {
  const known = IANAZone.create(zone);
  return known.isValid ? Math.round(known.offset(instant) * 60_000) : 0;
};

/** Local time of a zone, in milliseconds as if it were UTC. */
export const wallAt = (zone: string, instant: number): number => instant + offsetAt(zone, instant);

/** The first instant after `from`, up to `to`, with a different offset, if exactly one change lies between them. */
const changeBetween = (zone: string, from: number, to: number): number => {
  const before = offsetAt(zone, from);
  let low = from;
  let high = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

/** The first clock change after `from` and not after `to`; undefined if there is none. */
export const nextChange = (zone: string, from: number, to: number): number | undefined => {
  for (let start = from; start < to; start += DAY_MS) {
    const end = Math.min(start + DAY_MS, to);
    if (offsetAt(zone, start) !== offsetAt(zone, end)) return changeBetween(zone, start, end);
  }
  return undefined;
};

/**
 * The first instant at which the zone's clock shows `wall` (as in wallAt). For a skipped time, the first instant after
 * the gap; for a repeated time, the first occurrence.
 */
export const instantOf = (zone: string, wall: number): number => {
  const candidates = [wall - offsetAt(zone, wall - AROUND_MS), wall - offsetAt(zone, wall + AROUND_MS)].sort(
    (a, b) => a - b,
  );
  const shown = candidates.find((instant) => wallAt(zone, instant) === wall);
  return shown ?? changeBetween(zone, wall - AROUND_MS, wall + AROUND_MS);
};

/** Local time of a zone at an instant, ISO 8601 with its offset. */
export const localTime = (instant: Date, zone: string): string =>
  DateTime.fromJSDate(instant, { zone: IANAZone.isValidZone(zone) ? zone : 'UTC' }).toFormat(
    "yyyy-MM-dd'T'HH:mm:ss.SSSZZ",
  );
