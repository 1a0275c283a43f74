import { DateTime } from 'luxon';

const DAY_MS = 86_400_000;

/**
 * A date whose UTC fields are the local fields of `date` in `zone`. JavaScript dates know the process's zone only;
 * expressions are to see the workflow's.
 */
export function toLocal(date: Date, zone: string): Date {
  const time = date.getTime();
  return new Date(time + offsetAt(time, zone));
}

/**
 * The moment at which the clocks of `zone` show what `local` has in its UTC fields; NaN for NaN. Of two such moments
 * the earlier one counts; a time that the clocks skip is read with the offset from before they did. So does JavaScript.
 */
export function fromLocal(local: number, zone: string): number {
  const before = local - offsetAt(local - DAY_MS, zone);
  if (before + offsetAt(before, zone) === local) return before;
  const after = local - offsetAt(local + DAY_MS, zone);
  return after + offsetAt(after, zone) === local ? after : before;
}

/** Milliseconds by which the clocks of `zone` are ahead of UTC at a moment; 0 for an invalid one. */
export function offsetAt(time: number, zone: string): number {
  if (Number.isNaN(time)) return 0;
  return DateTime.fromMillis(time, { zone }).offset * 60_000;
}
