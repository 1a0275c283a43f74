import type { JsonObject } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import type { NodeContext, NodeExecutor, NodeResult } from '../engine/node';
import { output } from '../engine/node';

/** Gives one item with the parts of the time the run was due at. */
export const scheduleTrigger: NodeExecutor = { kind: 'scheduleTrigger', actsOutside: false, run: runSchedule };

/** The older forms of a schedule give the same item. */
export const cron: NodeExecutor = { kind: 'cron', actsOutside: false, run: runSchedule };
/** See `cron`. */
export const interval: NodeExecutor = { kind: 'interval', actsOutside: false, run: runSchedule };

function runSchedule(context: NodeContext): NodeResult {
  const given = context.items[0]?.json ?? {};
  const { dueAt } = given;
  // A run that was started by hand with data of its own works on that data.
  if (dueAt === undefined && Object.keys(given).length > 0) return output(context.items);
  const due = typeof dueAt === 'string' ? DateTime.fromISO(dueAt, { zone: context.timezone }) : undefined;
  const time = due?.isValid === true ? due : DateTime.fromMillis(context.ports.clock.now(), { zone: context.timezone });
  return output([{ json: timeParts(time.setLocale('en')) }]);
}

/** A moment as the fields that workflows read from a schedule. */
export function timeParts(time: DateTime): JsonObject {
  const day = time.toFormat('MMMM d');
  const clock = time.toFormat('h:mm:ss') + time.toFormat(' a').toLowerCase();
  return {
    timestamp: time.toISO() ?? '',
    'Readable date': `${day}${ordinal(time.day)} ${time.toFormat('yyyy')}, ${clock}`,
    'Readable time': clock,
    'Day of week': time.toFormat('EEEE'),
    Year: time.toFormat('yyyy'),
    Month: time.toFormat('MMMM'),
    'Day of month': time.toFormat('dd'),
    Hour: time.toFormat('HH'),
    Minute: time.toFormat('mm'),
    Second: time.toFormat('ss'),
    Timezone: `${time.zoneName ?? 'UTC'} (UTC${time.toFormat('ZZ')})`,
  };
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}
