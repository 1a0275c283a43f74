import { define, defineGlobal } from '../define';
import { askHost } from '../host';

/** The methods of each kind of formatter. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  DateTimeFormat: ['format', 'formatToParts', 'formatRange'],
  NumberFormat: ['format', 'formatToParts'],
  Collator: ['compare'],
  PluralRules: ['select'],
  RelativeTimeFormat: ['format', 'formatToParts'],
  ListFormat: ['format', 'formatToParts'],
};

/** Sets `Intl`: the engine has none, so the process around it formats. */
export function installIntl(): void {
  const intl: Record<string, unknown> = {};
  for (const [type, methods] of Object.entries(METHODS)) define(intl, type, formatterKind(type, methods));
  define(intl, 'getCanonicalLocales', (locales: unknown) => (locales === undefined ? [] : [locales].flat()));
  defineGlobal('Intl', intl);
}

/** A constructor that also works without `new`, as those of `Intl` do. */
function formatterKind(type: string, methods: readonly string[]): object {
  const kind = function (locales?: unknown, options?: unknown): object {
    const ask = (method: string, values: readonly unknown[]): unknown =>
      askHost('intl', { type, locales, options, method, values: values.map((value) => sendable(type, value)) });
    // Asked at once, because a wrong locale or zone must fail here and not later.
    const resolved = ask('resolvedOptions', []);
    const formatter: object = Object.create(kind.prototype);
    for (const method of methods)
      define(formatter, method, (...values: unknown[]) => ask(method, values.length === 0 ? [undefined] : values));
    define(formatter, 'resolvedOptions', () => resolved);
    return formatter;
  };
  define(kind, 'name', type);
  define(kind, 'supportedLocalesOf', (locales: unknown) => [locales ?? []].flat());
  return kind;
}

function sendable(type: string, value: unknown): unknown {
  if (type === 'DateTimeFormat') return value === undefined ? Date.now() : Number(value);
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'object' && value !== null && Symbol.iterator in value ? Array.from(Object(value)) : value;
}
