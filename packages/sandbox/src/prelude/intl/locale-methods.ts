import { define } from '../define';
import { askHost } from '../host';

/** Gives dates and numbers the methods that write them in a language. */
export function installLocaleMethods(): void {
  for (const method of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    define(Date.prototype, method, function (this: Date, locales?: unknown, options?: unknown) {
      return askHost('dateText', { method, at: this.getTime(), locales, options });
    });
  }
  for (const prototype of [Number.prototype, BigInt.prototype]) {
    define(prototype, 'toLocaleString', function (this: number | bigint, locales?: unknown, options?: unknown) {
      return askHost('intl', { type: 'NumberFormat', locales, options, method: 'format', values: [numberText(this)] });
    });
  }
  const { toString, toTimeString } = Date.prototype;
  // The engine leaves out the name of the zone, which is always this one.
  define(Date.prototype, 'toString', function (this: Date) {
    return named(toString.call(this));
  });
  define(Date.prototype, 'toTimeString', function (this: Date) {
    return named(toTimeString.call(this));
  });
}

/** JSON has no NaN and no infinity, so a number travels as its text. */
function numberText(value: number | bigint): string {
  return String(value.valueOf());
}

function named(text: string): string {
  return text.endsWith('GMT+0000') ? `${text} (Coordinated Universal Time)` : text;
}
