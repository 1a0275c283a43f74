import { DateTime } from 'luxon';
import { LIMITS } from '../../limits';
import { inZone } from '../../dates/date-text';
import { toNumber, toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/function-value';
import { isArray, isPlainObject } from '../../runtime/kinds';
import type { Run } from '../../runtime/run';
import { ErrorValue, Thrown } from '../../runtime/thrown';
import { callHost, luxonArgument } from '../luxon-call';
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

/** The singular of the units that luxon knows; texts that name none are left for luxon to refuse. */
function unitOf(run: Run, value: unknown, absent: string): string {
  const name = value === undefined || value === null ? absent : toText(run, value).slice(0, LIMITS.dateTextLength);
  const unit = name.toLowerCase();
  return SHORT_UNITS.get(unit) ?? unit.replace(/s$/, '');
}

const SHORT_UNITS: ReadonlyMap<string, string> = new Map([
  ['ms', 'millisecond'],
  ['sec', 'second'],
  ['secs', 'second'],
  ['min', 'minute'],
  ['mins', 'minute'],
  ['hr', 'hour'],
  ['hrs', 'hour'],
]);

/** The amount to add: a duration, an object with units as keys, or a number of one unit. */
function amount(run: Run, [value, unit]: Arguments): Record<string, number> | object {
  if (isPlainObject(value) || isDuration(value)) {
    const given = luxonArgument(run, value);
    return typeof given === 'object' && given !== null ? given : {};
  }
  return { [`${unitOf(run, unit, 'milliseconds')}s`]: toNumber(run, value ?? 0) };
}

function extract(run: Run, moment: DateTime, [part]: Arguments): number | undefined {
  const name = part === undefined ? 'week' : toText(run, part);
  if (name === 'yearDayNumber') return moment.ordinal;
  const field = name === 'week' ? 'weekNumber' : name;
  const known = FIELDS.find((one) => one === field) ?? PARTS.find((unit) => unit === unitOf(run, name, ''));
  const value: unknown = known === undefined ? undefined : Reflect.get(moment, known);
  return typeof value === 'number' ? value : undefined;
}

/** Parts that have a plural and short names. */
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'];
const FIELDS = [...PARTS, 'quarter', 'weekNumber', 'weekday', 'weekYear', 'ordinal'];

function diffTo(run: Run, moment: DateTime, [other, unit]: Arguments): unknown {
  const end = readMoment(run, other);
  if (end === undefined && typeof other === 'string') throw misuse('diffTo', 'cannot convert to Luxon DateTime');
  const units = (isArray(unit) ? unit : [unit]).slice(0, 20).map((name) => `${unitOf(run, name, 'days')}s`);
  const [only, ...others] = units;
  return callHost(() => {
    const difference = moment.diff(end ?? DateTime.invalid('invalid input'), units.filter(isUnit));
    return others.length === 0 && only !== undefined && isUnit(only)
      ? difference.as(only)
      : run.made({ ...difference.toObject() });
  });
}

const UNITS = ['years', 'quarters', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;

function isUnit(name: string): name is (typeof UNITS)[number] {
  if (!UNITS.some((unit) => unit === name))
    throw misuse('diffTo', `Unsupported unit '${name}'. Supported: ${UNITS.join(', ')}`);
  return true;
}

function isBetween(run: Run, moment: DateTime, args: Arguments): boolean | undefined {
  if (args.length !== 2) throw misuse('isBetween', 'expected exactly two args');
  const [first, second] = args.map((arg) => (typeof arg === 'number' ? undefined : readMoment(run, arg)));
  if (first === undefined || second === undefined) return undefined;
  const [from, to] = [first.toMillis(), second.toMillis()].sort((a, b) => a - b);
  return from !== undefined && to !== undefined && moment.toMillis() > from && moment.toMillis() < to;
}

function isInLast(run: Run, moment: DateTime, [count, unit]: Arguments): boolean {
  const now = run.scope.now();
  const start = callHost(() => now.minus(amount(run, [count ?? 0, unit ?? 'minutes'])));
  return moment.toMillis() >= start.toMillis() && moment.toMillis() <= now.toMillis();
}

function startOf(run: Run, moment: DateTime, [unit]: Arguments): DateTime {
  const name = unitOf(run, unit, 'week');
  return callHost(() => {
    const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'] as const;
    const known = units.find((candidate) => candidate === name);
    if (known === undefined) throw new Thrown(new ErrorValue('Error', `Invalid unit ${name}`));
    return moment.startOf(known);
  });
}

/** Methods that expressions add to dates, to luxon's DateTimes, and to texts that are dates in JSON form. */
export const dateExtensions: MethodTable = mergeTables(
  new Map<string, Method>([
    ['beginningOf', moving(startOf)],
    ['diffTo', reading(diffTo)],
    ['diffToNow', reading((run, moment, [unit]) => diffTo(run, moment, [run.scope.now(), unit]))],
    ['endOfMonth', moving((_run, moment) => moment.endOf('month'))],
    ['extract', reading(extract)],
    [
      'format',
      reading((run, moment, [format]) =>
        moment.toFormat(String(luxonArgument(run, format === undefined ? 'D' : toText(run, format)))),
      ),
    ],
    ['isBetween', reading(isBetween)],
    ['isDst', reading((_run, moment) => moment.isInDST)],
    ['isInLast', reading(isInLast)],
    ['isWeekend', reading((_run, moment) => moment.weekday > 5)],
    ['minus', moving((run, moment, args) => callHost(() => moment.minus(amount(run, args))))],
    ['plus', moving((run, moment, args) => callHost(() => moment.plus(amount(run, args))))],
    ['toBoolean', () => undefined],
    ['toDateTime', reading((_run, moment) => moment)],
    ['toFloat', reading((_run, moment) => moment.toMillis())],
    ['toInt', reading((_run, moment) => moment.toMillis())],
    ['toNumber', reading((_run, moment) => moment.toMillis())],
  ]),
);
