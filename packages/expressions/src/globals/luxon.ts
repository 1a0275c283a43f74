import { DateTime, Duration, Interval } from 'luxon';
import { isReadableFormat } from '../dates/parse-date';
import { toNumber, toText } from '../runtime/convert';
import { NativeConstructor, NativeFunction } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { callHost, luxonArgument, luxonResult } from '../methods/luxon/luxon-call';
import { noteOptions } from '../methods/luxon/luxon-caches';
import { isDate, isDateTime, isDuration, isInterval } from '../methods/type-tests';

type Static = (run: Run, args: Arguments) => unknown;

/** The zone and language of moments that an expression makes, unless it names others. */
function defaults(run: Run): Record<string, unknown> {
  return { zone: run.scope.timezone, locale: 'en-US' };
}

/**
 * A static method of a luxon class; its options, if it has any, stand at `optionsAt` and are filled up with the
 * defaults.
 */
const hostStatic =
  (host: object, name: string, optionsAt?: number): Static =>
  (run, args) => {
    const method: unknown = Reflect.get(host, name);
    if (typeof method !== 'function') throw typeError(`${name} is not a function`);
    const given = args.slice(0, 1000).map((arg) => luxonArgument(run, arg));
    noteOptions(given);
    if (optionsAt !== undefined) {
      while (given.length < optionsAt) given.push(undefined);
      const options = given[optionsAt];
      given[optionsAt] = { ...defaults(run), ...(isPlainObject(options) ? options : {}) };
    }
    return luxonResult(
      run,
      callHost((): unknown => Reflect.apply(method, host, given)),
    );
  };

/** A static method that reads a string by a format: the format is held against a limit first. */
const parsing = (name: 'fromFormat' | 'fromString'): Static => {
  const parse = hostStatic(DateTime, 'fromFormat', 2);
  return (run, args) => {
    if (!isReadableFormat(toText(run, args[1]))) throw typeError(`DateTime.${name}: the format has too many fields`);
    return parse(run, args);
  };
};

/** `DateTime.local` and `DateTime.utc`: numbers, then options. */
const fromNumbers =
  (name: 'local' | 'utc'): Static =>
  (run, args) => {
    const last = args.at(-1);
    const numbers = args
      .filter((arg) => !isPlainObject(arg))
      .slice(0, 7)
      .map((arg) => toNumber(run, arg));
    const options = isPlainObject(last) ? luxonArgument(run, last) : {};
    noteOptions([options]);
    if (name === 'local' && numbers.length === 0) return run.scope.now().setZone(run.scope.timezone);
    const fields = {
      ...(name === 'utc' ? { locale: 'en-US' } : defaults(run)),
      ...(isPlainObject(options) ? options : {}),
    };
    return callHost((): unknown => Reflect.apply(DateTime[name], DateTime, [...numbers, fields]));
  };

function fromJSDate(run: Run, [date, options]: Arguments): DateTime {
  if (!isDate(date)) throw typeError('DateTime.fromJSDate needs a Date');
  const given = luxonArgument(run, options);
  noteOptions([given]);
  return callHost(() => DateTime.fromJSDate(date, { ...defaults(run), ...(isPlainObject(given) ? given : {}) }));
}

/** Shared by all evaluations, so frozen. */
const FORMATS = Object.fromEntries(
  `DATE_SHORT DATE_MED DATE_MED_WITH_WEEKDAY DATE_FULL DATE_HUGE TIME_SIMPLE TIME_WITH_SECONDS
   TIME_WITH_SHORT_OFFSET TIME_WITH_LONG_OFFSET TIME_24_SIMPLE TIME_24_WITH_SECONDS TIME_24_WITH_SHORT_OFFSET
   TIME_24_WITH_LONG_OFFSET DATETIME_SHORT DATETIME_SHORT_WITH_SECONDS DATETIME_MED DATETIME_MED_WITH_SECONDS
   DATETIME_MED_WITH_WEEKDAY DATETIME_FULL DATETIME_FULL_WITH_SECONDS DATETIME_HUGE DATETIME_HUGE_WITH_SECONDS`
    .split(/\s+/)
    .map((name): [string, unknown] => [name, Object.freeze({ ...Object(Reflect.get(DateTime, name)) })]),
);

function members(statics: Readonly<Record<string, Static>>): Record<string, unknown> {
  const native = (name: string, body: Static): NativeFunction =>
    new NativeFunction(name, 1, (run, _self, args) => body(run, args));
  return Object.fromEntries(Object.entries(statics).map(([name, body]) => [name, native(name, body)]));
}

const cannotConstruct = (name: string) => (): never => {
  throw typeError(`Use a function such as ${name}.fromISO() instead of new ${name}()`);
};

/** As in luxon, whose constructor reads `ts` and `zone` of an object and gives the present for anything else. */
function constructDateTime(run: Run, [config]: Arguments): DateTime {
  const given = luxonArgument(run, isPlainObject(config) ? config : {});
  const { ts, zone } = isPlainObject(given) ? given : {};
  noteOptions([{ zone }]);
  const present = run.scope.now().setZone(run.scope.timezone);
  const moment = typeof ts === 'number' ? callHost(() => DateTime.fromMillis(ts, defaults(run))) : present;
  return typeof zone === 'string' ? callHost(() => moment.setZone(zone)) : moment;
}

const dateTimeClass = new NativeConstructor('DateTime', 0, {
  construct: constructDateTime,
  call: cannotConstruct('DateTime'),
  isInstance: isDateTime,
  members: {
    ...FORMATS,
    ...members({
      fromFormat: parsing('fromFormat'),
      fromHTTP: hostStatic(DateTime, 'fromHTTP', 1),
      fromISO: hostStatic(DateTime, 'fromISO', 1),
      fromJSDate,
      fromMillis: hostStatic(DateTime, 'fromMillis', 1),
      fromObject: hostStatic(DateTime, 'fromObject', 1),
      fromRFC2822: hostStatic(DateTime, 'fromRFC2822', 1),
      fromSQL: hostStatic(DateTime, 'fromSQL', 1),
      fromSeconds: hostStatic(DateTime, 'fromSeconds', 1),
      fromString: parsing('fromString'),
      invalid: hostStatic(DateTime, 'invalid'),
      isDateTime: (_run, [value]) => isDateTime(value),
      local: fromNumbers('local'),
      max: hostStatic(DateTime, 'max'),
      min: hostStatic(DateTime, 'min'),
      now: (run) => run.scope.now().setZone(run.scope.timezone),
      utc: fromNumbers('utc'),
    }),
  },
});

const durationClass = new NativeConstructor('Duration', 0, {
  construct: cannotConstruct('Duration'),
  isInstance: isDuration,
  members: members({
    fromISO: hostStatic(Duration, 'fromISO'),
    fromDurationLike: hostStatic(Duration, 'fromDurationLike'),
    fromISOTime: hostStatic(Duration, 'fromISOTime'),
    fromMillis: hostStatic(Duration, 'fromMillis'),
    fromObject: hostStatic(Duration, 'fromObject'),
    invalid: hostStatic(Duration, 'invalid'),
    isDuration: (_run, [value]) => isDuration(value),
  }),
});

const intervalClass = new NativeConstructor('Interval', 0, {
  construct: cannotConstruct('Interval'),
  isInstance: isInterval,
  members: members({
    after: hostStatic(Interval, 'after'),
    before: hostStatic(Interval, 'before'),
    fromDateTimes: hostStatic(Interval, 'fromDateTimes'),
    fromISO: hostStatic(Interval, 'fromISO', 1),
    invalid: hostStatic(Interval, 'invalid'),
    isInterval: (_run, [value]) => isInterval(value),
    merge: hostStatic(Interval, 'merge'),
    xor: hostStatic(Interval, 'xor'),
  }),
});

/** The classes of luxon, as far as expressions have them. */
export const luxonClasses: Readonly<Record<string, NativeConstructor>> = {
  DateTime: dateTimeClass,
  Duration: durationClass,
  Interval: intervalClass,
};
