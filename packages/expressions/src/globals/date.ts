import { isPrimitive, toNumber, toPrimitive } from '../runtime/convert';
import { NativeConstructor, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { dateText } from '../dates/date-text';
import { fromLocal } from '../dates/local-time';
import { parseDate } from '../dates/parse-date';

function construct(run: Run, args: Arguments): Date {
  const [first] = args;
  if (args.length === 0) return new Date(run.scope.now().toMillis());
  if (args.length > 1) return new Date(fromLocal(utcTime(run, args), run.scope.timezone));
  if (first instanceof Date) return new Date(first.getTime());
  const value = isPrimitive(first) ? first : toPrimitive(run, first, 'default');
  return new Date(typeof value === 'string' ? parseDate(value, run.scope.timezone) : Number(value));
}

function utcTime(run: Run, args: Arguments): number {
  const [year = Number.NaN, month = 0, ...rest] = args.slice(0, 7).map((arg) => toNumber(run, arg));
  return Date.UTC(year, month, ...rest);
}

/** `Date`. Local times are those of the workflow's zone. */
export const dateConstructor = new NativeConstructor('Date', 7, {
  construct,
  call: (run) => dateText(new Date(run.scope.now().toMillis()), run.scope.timezone),
  isInstance: (value) => value instanceof Date,
  members: nativeFunctions({
    UTC: utcTime,
    now: (run) => run.scope.now().toMillis(),
    parse: (run, [text]) => (typeof text === 'string' ? parseDate(text, run.scope.timezone) : Number.NaN),
  }),
});
