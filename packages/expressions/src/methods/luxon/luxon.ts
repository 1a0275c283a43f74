import type { DateTime, Interval } from 'luxon';
import { Duration, FixedOffsetZone } from 'luxon';
import { toInteger, toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import type { Run } from '../../runtime/run';
import { intlOptions } from '../intl-options';
import { callHost, luxonArgument, luxonMethods, luxonResult } from './luxon-call';
import { noteOptions } from './luxon-caches';
import { mergeTables, methodTable } from '../method';
import { isDateTime, isDuration, isInterval } from '../type-tests';

const DATE_TIME_METHODS =
  `diff diffNow endOf equals getPossibleOffsets hasSame minus plus reconfigure resolvedLocaleOptions set
   setLocale startOf toBSON toFormat toHTTP toISO toISODate toISOTime toISOWeekDate toJSDate toJSON
   toLocaleParts toLocaleString toMillis toObject toRFC2822 toRelative toRelativeCalendar toSQL toSQLDate
   toSQLTime toSeconds toString toUTC toUnixInteger until valueOf`.split(/\s+/);

function setZone(run: Run, self: DateTime, [zone, options]: Arguments): DateTime {
  const name = typeof zone === 'number' ? zone : toText(run, zone ?? 'local').slice(0, 100);
  // The local zone is the workflow's, never the process's.
  const isLocal = name === 'local' || name === 'default' || name === 'system';
  noteOptions([name]);
  const target = isLocal ? run.scope.timezone : typeof name === 'number' ? FixedOffsetZone.instance(name) : name;
  return callHost(() => self.setZone(target, intlOptions(run, options)));
}

/** `get` of luxon reads any property; this one reads the fields that expressions may read. */
const getField =
  (fields: ReadonlySet<string>) =>
  (_run: Run, self: object, [name]: Arguments): unknown =>
    typeof name === 'string' && fields.has(name) ? Reflect.get(self, name) : undefined;

/** Fields of luxon's `DateTime`. */
export const dateTimeFields: ReadonlySet<string> = new Set(
  `day daysInMonth daysInYear hour invalidExplanation invalidReason isInDST isInLeapYear isOffsetFixed isValid
   isWeekend locale localWeekNumber localWeekYear localWeekday millisecond minute month monthLong monthShort
   numberingSystem offset offsetNameLong offsetNameShort ordinal outputCalendar quarter second weekNumber
   weekYear weekday weekdayLong weekdayShort weeksInLocalWeekYear weeksInWeekYear year zoneName`.split(/\s+/),
);

/** Internal fields of luxon that workflows read. They are copies, so no object of the host can be reached. */
export function innerDateTimeField(self: DateTime, key: string): unknown {
  switch (key) {
    case 'ts':
      return self.toMillis();
    case 'c':
      return self.toObject();
    case 'o':
      return self.offset;
    case 'isLuxonDateTime':
      return true;
    case 'zone':
    case '_zone': {
      const { name, type, isUniversal, isValid } = self.zone;
      return { name, type, isUniversal, isValid };
    }
    default:
      return undefined;
  }
}

/** Methods of luxon's `DateTime`. */
export const dateTimeNativeMethods = mergeTables(
  luxonMethods('DateTime', isDateTime, DATE_TIME_METHODS),
  methodTable('DateTime', isDateTime, {
    get: getField(dateTimeFields),
    setZone,
    toLocal: (run, self) => self.setZone(run.scope.timezone),
  }),
);

/** Fields of luxon's `Duration`. */
export const durationFields: ReadonlySet<string> = new Set(
  (
    `days hours invalidExplanation invalidReason isValid locale milliseconds minutes months numberingSystem ` +
    `quarters seconds weeks years`
  ).split(/\s+/),
);

/** Methods of luxon's `Duration`. */
export const durationMethods = mergeTables(
  luxonMethods(
    'Duration',
    isDuration,
    `as equals minus negate normalize plus reconfigure removeZeros rescale set shiftTo shiftToAll toFormat toHuman toISO
   toISOTime toJSON toMillis toObject toString valueOf`.split(/\s+/),
  ),
  methodTable('Duration', isDuration, { get: getField(durationFields) }),
);

/** Cost of one part of an interval. */
const PART_NS = 20_000;

function splitBy(run: Run, self: Interval, [step]: Arguments): unknown {
  const given = luxonArgument(run, step);
  const duration = isDuration(given)
    ? given
    : callHost(() => Duration.fromObject(typeof given === 'object' && given !== null ? { ...given } : {}));
  const parts = Math.ceil(self.length() / Math.max(1, duration.toMillis()));
  run.allowEntries(parts);
  run.read(parts, PART_NS);
  return luxonResult(
    run,
    callHost(() => self.splitBy(duration)),
  );
}

function divideEqually(run: Run, self: Interval, [parts]: Arguments): unknown {
  const count = toInteger(run, parts);
  run.allowEntries(Math.max(0, count));
  run.read(Math.max(0, count), PART_NS);
  return luxonResult(
    run,
    callHost(() => self.divideEqually(count)),
  );
}

/** Methods of luxon's `Interval`. */
export const intervalMethods = mergeTables(
  luxonMethods(
    'Interval',
    isInterval,
    `abutsEnd abutsStart contains count difference engulfs equals hasSame intersection isAfter isBefore isEmpty
   length overlaps set splitAt toDuration toFormat toISO toISODate toISOTime toLocaleString toString union`.split(
      /\s+/,
    ),
  ),
  methodTable('Interval', isInterval, { divideEqually, splitBy }),
);

/** Fields of luxon's `Interval`. */
export const intervalFields: ReadonlySet<string> = new Set([
  'end',
  'invalidExplanation',
  'invalidReason',
  'isValid',
  'lastDateTime',
  'start',
]);
