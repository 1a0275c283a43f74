import { LIMITS } from '../limits';
import { toNumber, toText } from '../runtime/convert';
import { NativeConstructor, nativeFunctions } from '../runtime/function-value';
import type { Arguments } from '../runtime/function-value';
import type { Run } from '../runtime/run';
import { Namespace } from '../runtime/virtual-object';
import { INTL_STEPS, intlOptions } from '../methods/intl-options';
import { callHost } from '../methods/luxon-call';
import { isDateTime } from '../methods/type-tests';

function localeOf(run: Run, value: unknown): string {
  run.work(INTL_STEPS);
  return value === undefined || value === null ? 'en-US' : toText(run, value).slice(0, LIMITS.dateTextLength);
}

function numberFormat(run: Run, [locale, options]: Arguments): Namespace {
  const format = callHost(() => new Intl.NumberFormat(localeOf(run, locale), intlOptions(run, options)));
  return new Namespace(nativeFunctions({ format: (inner, [value]) => format.format(toNumber(inner, value)) }));
}

function dateTimeFormat(run: Run, [locale, options]: Arguments): Namespace {
  const format = callHost(
    () =>
      new Intl.DateTimeFormat(localeOf(run, locale), { timeZone: run.scope.timezone, ...intlOptions(run, options) }),
  );
  return new Namespace(
    nativeFunctions({
      format: (inner, [value]) => {
        const date = isDateTime(value)
          ? value.toMillis()
          : value instanceof Date
            ? value.getTime()
            : toNumber(inner, value ?? inner.scope.now());
        return callHost(() => format.format(date));
      },
    }),
  );
}

/** `Intl`, as far as expressions have it. */
export const intlNamespace = new Namespace({
  DateTimeFormat: new NativeConstructor('DateTimeFormat', 0, { construct: dateTimeFormat, isInstance: () => false }),
  NumberFormat: new NativeConstructor('NumberFormat', 0, { construct: numberFormat, isInstance: () => false }),
});
