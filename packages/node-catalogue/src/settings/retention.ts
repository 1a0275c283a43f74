import { isJsonObject, type Json } from '@weft/service-kit/json-values';
import type { DefinitionError } from '../definition';

/** Maximum number of days for which executions can be retained; 0 retains them without limit. */
export const MAX_RETENTION_DAYS = 3_650;

/** Maximum number of executions of one workflow that can be retained; 0 sets no bound. */
export const MAX_RETENTION_COUNT = 10_000;

const BOUNDS: Readonly<Record<string, number>> = { days: MAX_RETENTION_DAYS, count: MAX_RETENTION_COUNT };

/** Errors of `settings.retention`: the number of days executions are retained after their end, and their number. */
export function retentionErrors(settings: Json | undefined): DefinitionError[] {
  const retention = isJsonObject(settings) ? settings['retention'] : undefined;
  if (retention === undefined || retention === null) return [];
  if (!isJsonObject(retention))
    return [
      {
        field: 'settings.retention',
        message: '`settings.retention` must be an object, for example { "days": 30, "count": 1000 }.',
      },
    ];
  return Object.entries(retention).flatMap(([name, value]) => {
    const path = `settings.retention.${name.slice(0, 100)}`;
    const max = Object.hasOwn(BOUNDS, name) ? BOUNDS[name] : undefined;
    if (max === undefined)
      return [{ field: path, message: `This is not known. Use: ${Object.keys(BOUNDS).join(', ')}.` }];
    return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max
      ? []
      : [{ field: path, message: `\`${path}\` must be an integer from 0 to ${max}.` }];
  });
}
