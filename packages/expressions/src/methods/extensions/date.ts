import { DateTime } from 'luxon';
import { LIMITS } from '../../limits';
import { inZone } from '../../dates/date-text';
import { parseDate } from '../../dates/parse-date';
import { toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { typeError } from '../../runtime/thrown';
import { dateTimeFields } from '../luxon/luxon';
import { callLuxon } from '../luxon/luxon-call';
import { mergeTables } from '../method';
import type { Method, MethodTable } from '../method';
import { isDate, isDateTime, isDuration } from '../type-tests';
import { readMoment } from './read-moment';
import { misuse } from '../../errors';

type MomentMethod = (run: Run, moment: DateTime, args: Arguments) => unknown;

/** The moment that a date, a DateTime or the text of a date in JSON stands for. */
function momentOf(run: Run, self: unknown): DateTime {
  if (isDateTime(self)) return self;
  return inZone(isDate(self) ? self : new Date(toText(run, self)), run.scope.timezone);
}

/** A method that reads something off a moment. */
const reading =
  (body: MomentMethod): Method =>
  (run, self, args) =>
    body(run, momentOf(run, self), args);

/** A method that returns another moment: a DateTime for a DateTime, a Date for anything else. */
const moving =
  (body: (run: Run, moment: DateTime, args: Arguments) => DateTime): Method =>
  (run, self, args) => {
    const moved = body(run, momentOf(run, self), args);
    return isDateTime(self) ? moved : moved.toJSDate();
  };

/** A method of luxon that returns a moment; an argument that it does not understand is an exception. */
function moved(run: Run, moment: DateTime, method: 'minus' | 'plus' | 'startOf', arg: unknown): DateTime {
  const result = callLuxon(run, moment, method, [arg]);
  if (!isDateTime(result)) throw typeError(`${method} gave no moment`);
  return result;
}

/** Short names of units that luxon does not know. */
const SHORT_UNITS: ReadonlyMap<unknown, string> = new Map([
  ['ms', 'millisecond'],
  ['sec', 'second'],
  ['secs', 'second'],
  ['min', 'minute'],
  ['mins', 'minute'],
  ['hr', 'hour'],
  ['hrs', 'hour'],
]);

/** The amount to add: whatever luxon takes as one, or a number and its unit. */
function amountOf(run: Run, args: Arguments): unknown {
  if (args.length === 1) return args[0];
  const [value = 0, unit = 'minutes'] = args;
  return { [SHORT_UNITS.get(unit) ?? toText(run, unit).slice(0, LIMITS.dateTextLength)]: value };
}

/** Parts whose name also has a plural. */
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'];

/** The name of a part by its plural or short name; anything else as it is. */
function partOf(value: unknown): unknown {
  return SHORT_UNITS.get(value) ?? PARTS.find((part) => `${part}s` === value) ?? value;
}

function extract(_run: Run, moment: DateTime, [part = 'week']: Arguments): unknown {
  if (part === 'yearDayNumber') return moment.ordinal;
  const field = part === 'week' ? 'weekNumber' : partOf(part);
  return typeof field === 'string' && dateTimeFields.has(field) ? Reflect.get(moment, field) : undefined;
}

/** Formats as luxon does. A format without characters gives an empty string. */
function format(run: Run, moment: DateTime, [pattern, options]: Arguments): unknown {
  if (!moment.isValid || typeof pattern === 'string')
    return callLuxon(run, moment, 'toFormat', [pattern, isPlainObject(options) ? options : {}]);
  const isEmpty = isArray(pattern) ? pattern.length === 0 : isPlainObject(pattern);
  if (isEmpty || typeof pattern === 'number' || typeof pattern === 'boolean') return '';
  throw typeError('A format must be a string');
}

const UNITS = ['years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'];
/** Units of a difference. The last three are not units of a duration: luxon refuses them. */
const UNIT_NAMES: ReadonlySet<unknown> = new Set([
  ...UNITS,
  ...PARTS,
  'week',
  'weekNumber',
  'weekday',
  'yearDayNumber',
]);

function diffTo(run: Run, moment: DateTime, [other, unit = 'days']: Arguments): unknown {
  const units = isArray(unit) ? (unit.length > 0 ? unit : ['days']) : [unit];
  run.allowEntries(units.length);
  const unknown = units.find((name) => !UNIT_NAMES.has(name));
  if (Boolean(unknown))
    throw misuse('diffTo', `Unsupported unit '${toText(run, unknown).slice(0, 100)}'. Supported: ${UNITS.join(', ')}`);
  const end = typeof other === 'number' ? undefined : readMoment(run, other);
  if (end === undefined && typeof other === 'string') throw misuse('diffTo', 'cannot convert to Luxon DateTime');
  const difference = callLuxon(run, moment, 'diff', [end ?? DateTime.invalid('invalid input'), units]);
  if (!isDuration(difference)) throw typeError('diff gave no duration');
  return units.length > 1 ? run.made({ ...difference.toObject() }) : callLuxon(run, difference, 'as', units);
}

/** The moment of a text as JavaScript reads it: a date alone begins at midnight UTC. */
function boundOf(run: Run, value: unknown): DateTime | undefined {
  if (typeof value !== 'string') return isDateTime(value) || isDate(value) ? momentOf(run, value) : undefined;
  const moment = momentOf(run, new Date(parseDate(value, run.scope.timezone)));
  return moment.isValid ? moment : undefined;
}

function isBetween(run: Run, moment: DateTime, args: Arguments): boolean | undefined {
  if (args.length !== 2) throw misuse('isBetween', 'expected exactly two args');
  const [first, second] = args.map((arg) => boundOf(run, arg)?.toMillis());
  if (first === undefined || second === undefined) return undefined;
  const time = moment.toMillis();
  return first > second ? second < time && time < first : first < time && time < second;
}

function isInLast(run: Run, moment: DateTime, [count = 0, unit = 'minutes']: Arguments): boolean {
  const now = run.scope.now();
  const start = moved(run, now, 'minus', amountOf(run, [count, unit]));
  return moment.toMillis() >= start.toMillis() && moment.toMillis() <= now.toMillis();
}

/** Methods that expressions add to dates, to luxon's DateTimes, and to strings that are dates in JSON form. */
export const dateExtensions: MethodTable = mergeTables(
  new Map<string, Method>([
    ['beginningOf', moving((run, moment, [unit = 'week']) => moved(run, moment, 'startOf', partOf(unit)))],
    ['diffTo', reading(diffTo)],
    ['diffToNow', reading((run, moment, [unit]) => diffTo(run, moment, [run.scope.now(), unit]))],
    ['endOfMonth', moving((_run, moment) => moment.endOf('month'))],
    ['extract', reading(extract)],
    ['format', reading(format)],
    ['isBetween', reading(isBetween)],
    ['isDst', reading((_run, moment) => moment.isInDST)],
    ['isInLast', reading(isInLast)],
    ['isWeekend', reading((_run, moment) => moment.weekday > 5)],
    ['minus', moving((run, moment, args) => moved(run, moment, 'minus', amountOf(run, args)))],
    ['plus', moving((run, moment, args) => moved(run, moment, 'plus', amountOf(run, args)))],
    ['toBoolean', () => undefined],
    ['toDateTime', reading((_run, moment) => moment)],
    ['toFloat', reading((_run, moment) => moment.toMillis())],
    ['toInt', reading((_run, moment) => moment.toMillis())],
    ['toNumber', reading((_run, moment) => moment.toMillis())],
  ]),
);
