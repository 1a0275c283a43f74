import { DateTime } from 'luxon';
import { toInteger, toText } from '../../runtime/convert';
import type { Arguments } from '../../runtime/values/function-value';
import type { Run } from '../../runtime/run';
import { rangeError } from '../../runtime/thrown';
import { methodTable } from '../method';
import { localeNumber } from '../number-native';
import { isNumber } from '../type-tests';
import { ExpressionError, misuse } from '../../errors';

/** Days between the first day of spreadsheets, 1899-12-30, and the first of Unix time. */
const EXCEL_EPOCH_DAYS = 25_569;
const DAY_MS = 86_400_000;
const MS_OF: Readonly<Record<string, (value: number) => number>> = {
  ms: (value) => value,
  s: (value) => value * 1000,
  us: (value) => value / 1000,
  excel: (value) => (value - EXCEL_EPOCH_DAYS) * DAY_MS,
};

/**
 * The moment a number stands for, in the zone of the workflow; `format` is `ms` (the default), `s`, `us` or `excel`.
 * An invalid DateTime for a number that is not a moment.
 */
export function momentOf(run: Run, value: number, format: unknown): DateTime {
  const unit = format === undefined ? 'ms' : toText(run, format);
  const convert = Object.hasOwn(MS_OF, unit) ? MS_OF[unit] : undefined;
  if (convert === undefined) throw misuse('toDateTime', `Unsupported format '${unit}'. Use ms, s, us or excel`);
  const time = convert(value);
  if (!Number.isFinite(time)) return DateTime.invalid('invalid input');
  return DateTime.fromMillis(time, { zone: run.scope.timezone, locale: 'en-US' });
}

/** Rounds half away from zero. */
function round(run: Run, self: number, [places]: Arguments): number {
  const decimals = toInteger(run, places);
  if (decimals < 0 || decimals > 100) throw rangeError('toFixed() digits argument must be between 0 and 100');
  return Number(self.toFixed(decimals));
}

function whole(method: string, self: number): number {
  if (!Number.isInteger(self)) throw new ExpressionError(`${method}() is only callable on integers`, { type: 'type' });
  return self;
}

/** Methods that expressions add to numbers. */
export const numberExtensions = methodTable('Number', isNumber, {
  abs: (_run, self) => Math.abs(self),
  ceil: (_run, self) => Math.ceil(self),
  floor: (_run, self) => Math.floor(self),
  format: localeNumber,
  isEven: (_run, self) => whole('isEven', self) % 2 === 0,
  isInteger: (_run, self) => Number.isInteger(self),
  isOdd: (_run, self) => Math.abs(whole('isOdd', self) % 2) === 1,
  round,
  toBoolean: (_run, self) => self !== 0,
  toDateTime: (run, self, [format]) => momentOf(run, self, format),
  toFloat: (_run, self) => self,
  toInt: (run, self) => round(run, self, []),
});
