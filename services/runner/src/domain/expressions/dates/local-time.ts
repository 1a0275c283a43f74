import { DateTime } from 'luxon';

/**
 * A date whose UTC fields are the local fields of `date` in `zone`. JavaScript dates know the process's zone only; expressions are
 * to see the workflow's.
 */
export function toLocal(date: Date, zone: string): Date {
  const time = date.getTime();
  return new Date(time + offsetAt(time, zone));
}

/** The moment at which the clocks of `zone` show what `local` has in its UTC fields; NaN for NaN. */
export function fromLocal(local: number, zone: string): number {
  const guess = local - offsetAt(local, zone);
  const better = local - offsetAt(guess, zone);
  // Clocks skip an hour in spring: a time that is never shown is read with the offset before the change, as JavaScript does.
  return better + offsetAt(better, zone) === local ? better : local - offsetAt(better, zone);
}

/** Milliseconds by which the clocks of `zone` are ahead of UTC at a moment; 0 for an invalid one. */
export function offsetAt(time: number, zone: string): number {
  if (Number.isNaN(time)) return 0;
  return DateTime.fromMillis(time, { zone }).offset * 60_000;
}
