import type { Arguments } from '../runtime/values/function-value';
import { toNumber } from '../runtime/convert';
import type { Run } from '../runtime/run';
import { rangeError } from '../runtime/thrown';
import { dateOnlyText, dateText, timeOnlyText } from '../dates/date-text';
import { fromLocal, offsetAt, toLocal } from '../dates/local-time';
import { INTL_STEPS, intlOptions, localesOf } from './intl-options';
import { methodTable } from './method';
import type { MethodBody } from './method';
import { isDate } from './type-tests';

type DateMethod = MethodBody<Date>;

/** A field of the date on the clocks of the workflow's zone. */
const localField =
  (read: (local: Date) => number): DateMethod =>
  (run, self) =>
    read(toLocal(self, run.scope.timezone));

/** Sets fields of the date, on UTC clocks. */
const utcSetter =
  (set: (date: Date, ...numbers: number[]) => number): DateMethod =>
  (run, self, args) =>
    set(self, ...args.slice(0, 4).map((arg) => toNumber(run, arg)));

/** Sets fields of the date, on the clocks of the workflow's zone. */
const localSetter =
  (set: (local: Date, ...numbers: number[]) => number): DateMethod =>
  (run, self, args) => {
    const local = toLocal(self, run.scope.timezone);
    set(local, ...args.slice(0, 4).map((arg) => toNumber(run, arg)));
    return self.setTime(fromLocal(local.getTime(), run.scope.timezone));
  };

function isoText(_run: Run, self: Date): string {
  if (Number.isNaN(self.getTime())) throw rangeError('Invalid time value');
  return self.toISOString();
}

const localeText =
  (write: (date: Date, locale: string | string[], options: Intl.DateTimeFormatOptions) => string): DateMethod =>
  (run, self, [locale, options]: Arguments) => {
    run.work(INTL_STEPS);
    try {
      return write(self, localesOf(locale), { timeZone: run.scope.timezone, ...intlOptions(run, options) });
    } catch (error) {
      throw rangeError(error instanceof Error ? error.message : 'Invalid locale or options');
    }
  };

const utcMethods: Record<string, DateMethod> = {
  getTime: (_run, self) => self.getTime(),
  getUTCDate: (_run, self) => self.getUTCDate(),
  getUTCDay: (_run, self) => self.getUTCDay(),
  getUTCFullYear: (_run, self) => self.getUTCFullYear(),
  getUTCHours: (_run, self) => self.getUTCHours(),
  getUTCMilliseconds: (_run, self) => self.getUTCMilliseconds(),
  getUTCMinutes: (_run, self) => self.getUTCMinutes(),
  getUTCMonth: (_run, self) => self.getUTCMonth(),
  getUTCSeconds: (_run, self) => self.getUTCSeconds(),
  setTime: utcSetter((date, time = Number.NaN) => date.setTime(time)),
  setUTCDate: utcSetter((date, day = Number.NaN) => date.setUTCDate(day)),
  setUTCFullYear: utcSetter((date, ...fields) => Reflect.apply(date.setUTCFullYear, date, fields)),
  setUTCHours: utcSetter((date, ...fields) => Reflect.apply(date.setUTCHours, date, fields)),
  setUTCMilliseconds: utcSetter((date, ms = Number.NaN) => date.setUTCMilliseconds(ms)),
  setUTCMinutes: utcSetter((date, ...fields) => Reflect.apply(date.setUTCMinutes, date, fields)),
  setUTCMonth: utcSetter((date, ...fields) => Reflect.apply(date.setUTCMonth, date, fields)),
  setUTCSeconds: utcSetter((date, ...fields) => Reflect.apply(date.setUTCSeconds, date, fields)),
};

const localMethods: Record<string, DateMethod> = {
  getDate: localField((local) => local.getUTCDate()),
  getDay: localField((local) => local.getUTCDay()),
  getFullYear: localField((local) => local.getUTCFullYear()),
  getHours: localField((local) => local.getUTCHours()),
  getMilliseconds: localField((local) => local.getUTCMilliseconds()),
  getMinutes: localField((local) => local.getUTCMinutes()),
  getMonth: localField((local) => local.getUTCMonth()),
  getSeconds: localField((local) => local.getUTCSeconds()),
  getTimezoneOffset: (run, self) =>
    Number.isNaN(self.getTime()) ? Number.NaN : -offsetAt(self.getTime(), run.scope.timezone) / 60_000 + 0,
  getYear: localField((local) => local.getUTCFullYear() - 1900),
  setDate: localSetter((local, day = Number.NaN) => local.setUTCDate(day)),
  setFullYear: localSetter((local, ...fields) => Reflect.apply(local.setUTCFullYear, local, fields)),
  setHours: localSetter((local, ...fields) => Reflect.apply(local.setUTCHours, local, fields)),
  setMilliseconds: localSetter((local, ms = Number.NaN) => local.setUTCMilliseconds(ms)),
  setMinutes: localSetter((local, ...fields) => Reflect.apply(local.setUTCMinutes, local, fields)),
  setMonth: localSetter((local, ...fields) => Reflect.apply(local.setUTCMonth, local, fields)),
  setYear: localSetter((local, year = Number.NaN) =>
    local.setUTCFullYear(year >= 0 && year <= 99 ? year + 1900 : year),
  ),
  setSeconds: localSetter((local, ...fields) => Reflect.apply(local.setUTCSeconds, local, fields)),
};

const textMethods: Record<string, DateMethod> = {
  toDateString: (run, self) => dateOnlyText(self, run.scope.timezone),
  toGMTString: (_run, self) => self.toUTCString(),
  toISOString: isoText,
  toJSON: (_run, self) => (Number.isNaN(self.getTime()) ? null : self.toISOString()),
  toLocaleDateString: localeText((date, locale, options) => date.toLocaleDateString(locale, options)),
  toLocaleString: localeText((date, locale, options) => date.toLocaleString(locale, options)),
  toLocaleTimeString: localeText((date, locale, options) => date.toLocaleTimeString(locale, options)),
  toString: (run: Run, self: Date) => dateText(self, run.scope.timezone),
  toTimeString: (run, self) => timeOnlyText(self, run.scope.timezone),
  toUTCString: (_run, self) => self.toUTCString(),
  valueOf: (_run: Run, self: Date) => self.getTime(),
};

/** Methods of JavaScript dates. Local time is that of the workflow's zone, not of the process. */
export const dateNativeMethods = methodTable('Date', isDate, { ...utcMethods, ...localMethods, ...textMethods });
