import { DateTime } from 'luxon';
import type { ScheduleEntry } from '../workflows/workflow';

const ordinal = (day: number): string => {
  const tens = day % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${suffix}`;
};

/** Fields of the item emitted by a Schedule Trigger: a due time in a time zone. All values are strings. */
export const timeFields = (instant: Date, zone: string): Readonly<Record<string, string>> => {
  const time = DateTime.fromJSDate(instant, { zone }).setLocale('en-US');
  const clock = time.toFormat('h:mm:ss a').toLowerCase();
  return {
    timestamp: time.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSSZZ"),
    'Readable date': `${time.toFormat('MMMM')} ${ordinal(time.day)} ${time.toFormat('yyyy')}, ${clock}`,
    'Readable time': clock,
    'Day of week': time.toFormat('cccc'),
    Year: time.toFormat('yyyy'),
    Month: time.toFormat('MMMM'),
    'Day of month': time.toFormat('dd'),
    Hour: time.toFormat('HH'),
    Minute: time.toFormat('mm'),
    Second: time.toFormat('ss'),
    Timezone: `${zone} (UTC${time.toFormat('ZZ')})`,
  };
};

/**
 * Input of the trigger node of a due schedule: a JSON array of one item. It depends only on the due time, so that a
 * repeated start is identical.
 */
export const schedulePayload = (schedule: Pick<ScheduleEntry, 'item'>, due: Date, zone: string): string =>
  JSON.stringify([{ json: schedule.item === 'clock' ? timeFields(due, zone) : {} }]);
