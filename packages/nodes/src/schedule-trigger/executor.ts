import type { JsonObject } from '@weft/node-catalogue';
import { DateTime } from 'luxon';
import { type NodeExecutor, output } from '@weft/engine';

/**
 * Outputs one item with the parts of the time. A scheduled start includes them; a manual start without data gets those
 * of the current time.
 */
export const scheduleTrigger: NodeExecutor = {
  kind: 'scheduleTrigger',
  actsOutside: false,
  run: (context) => {
    const isGiven = context.items.some((item) => Object.keys(item.json).length > 0);
    if (isGiven) return output(context.items);
    return output([
      { json: timeParts(DateTime.fromMillis(context.ports.clock.now(), { zone: context.timezone, locale: 'en' })) },
    ]);
  },
};

/** The older schedule nodes output the data that the run was started with: an empty item for a scheduled start. */
export const cron: NodeExecutor = { kind: 'cron', actsOutside: false, run: (context) => output(context.items) };
/** See `cron`. */
export const interval: NodeExecutor = { kind: 'interval', actsOutside: false, run: (context) => output(context.items) };

/** A moment as the fields that workflows read from a schedule. */
function timeParts(time: DateTime): JsonObject {
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
