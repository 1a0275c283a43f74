import { DateTime } from 'luxon';

/** A `Date` in the zone of the workflow, in English: its text never depends on the server's zone or language. */
export function inZone(date: Date, zone: string): DateTime {
  return DateTime.fromJSDate(date, { zone }).setLocale('en-US');
}

/** The text of a `Date` as `Date.prototype.toString` has it, in `zone`. */
export function dateText(date: Date, zone: string): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const local = inZone(date, zone);
  return `${local.toFormat("ccc LLL dd yyyy HH:mm:ss 'GMT'ZZZ")} (${zoneTitle(local)})`;
}

/** As `Date.prototype.toDateString`, in `zone`. */
export function dateOnlyText(date: Date, zone: string): string {
  return Number.isNaN(date.getTime()) ? 'Invalid Date' : inZone(date, zone).toFormat('ccc LLL dd yyyy');
}

/** As `Date.prototype.toTimeString`, in `zone`. */
export function timeOnlyText(date: Date, zone: string): string {
  if (Number.isNaN(date.getTime())) return 'Invalid Date';
  const local = inZone(date, zone);
  return `${local.toFormat("HH:mm:ss 'GMT'ZZZ")} (${zoneTitle(local)})`;
}

function zoneTitle(local: DateTime): string {
  return local.zoneName === 'UTC' ? 'Coordinated Universal Time' : (local.offsetNameLong ?? '');
}
