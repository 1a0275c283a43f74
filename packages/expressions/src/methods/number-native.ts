import { toInteger } from '../runtime/convert';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { rangeError } from '../runtime/thrown';
import { INTL_STEPS, intlOptions, localesOf } from './intl-options';
import { methodTable } from './method';
import { isBoolean, isNumber } from './type-tests';

function checked(name: string, value: number, min: number, max: number): number {
  if (value < min || value > max) throw rangeError(`${name}() argument must be between ${min} and ${max}`);
  return value;
}

/** The number in the writing of a locale; English of the United States if none is named. */
export function localeNumber(run: Run, self: number, [locale, options]: Arguments): string {
  run.work(INTL_STEPS);
  try {
    return self.toLocaleString(localesOf(locale), intlOptions(run, options));
  } catch (error) {
    throw rangeError(error instanceof Error ? error.message : 'Invalid locale or options');
  }
}

/** Methods of JavaScript numbers. */
export const numberNativeMethods = methodTable('Number', isNumber, {
  toExponential: (run, self, [digits]) =>
    digits === undefined
      ? self.toExponential()
      : self.toExponential(checked('toExponential', toInteger(run, digits), 0, 100)),
  toFixed: (run, self, [digits]) => self.toFixed(checked('toFixed', toInteger(run, digits), 0, 100)),
  toLocaleString: localeNumber,
  toPrecision: (run, self, [digits]) =>
    digits === undefined ? String(self) : self.toPrecision(checked('toPrecision', toInteger(run, digits), 1, 100)),
  toString: (run: Run, self: number, [radix]: Arguments) =>
    self.toString(checked('toString', toInteger(run, radix, 10), 2, 36)),
  valueOf: (_run: Run, self: number) => self,
});

/** Methods of JavaScript booleans. */
export const booleanNativeMethods = methodTable('Boolean', isBoolean, {
  toString: (_run: Run, self: boolean) => String(self),
  valueOf: (_run: Run, self: boolean) => self,
});
