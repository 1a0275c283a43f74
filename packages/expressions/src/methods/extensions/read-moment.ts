import { DateTime } from 'luxon';
import { LIMITS } from '../../limits';
import { inZone } from '../../dates/date-text';
import { parseDate } from '../../dates/parse-date';
import type { Run } from '../../runtime/run';
import { isDate, isDateTime } from '../type-tests';

/**
 * The moment that a value stands for: a DateTime, a date, a number of milliseconds, or a string in one of the usual
 * forms (ISO 8601, HTTP, RFC 2822, SQL, then whatever JavaScript reads). Texts without an offset are read in the zone
 * of the workflow. Undefined if it is not a moment.
 */
export function readMoment(run: Run, value: unknown): DateTime | undefined {
  if (isDateTime(value)) return value.isValid ? value : undefined;
  if (isDate(value)) return valid(inZone(value, run.scope.timezone));
  const options = { zone: run.scope.timezone, locale: 'en-US' };
  if (typeof value === 'number')
    return Number.isFinite(value) ? valid(DateTime.fromMillis(Math.round(value), options)) : undefined;
  if (typeof value !== 'string' || value.length > LIMITS.dateTextLength) return undefined;
  const text = value.trim();
  const readers = [
    () => DateTime.fromISO(text, { ...options, setZone: true }),
    () => DateTime.fromHTTP(text, { ...options, setZone: true }),
    () => DateTime.fromRFC2822(text, { ...options, setZone: true }),
    () => DateTime.fromSQL(text, { ...options, setZone: true }),
    () => inZone(new Date(parseDate(text, run.scope.timezone)), run.scope.timezone),
  ];
  for (const read of readers) {
    const moment = valid(read());
    if (moment !== undefined) return moment;
  }
  return undefined;
}

function valid(moment: DateTime): DateTime | undefined {
  return moment.isValid ? moment : undefined;
}
