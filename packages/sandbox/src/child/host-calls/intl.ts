import { recordOf, textOf } from './operations';

/** Cache size of formatters per run. */
const MAX_FORMATTERS = 200;

type Locales = string | string[] | undefined;
type Method = (values: readonly unknown[]) => unknown;
type Maker = (locales: Locales, options: object) => Readonly<Record<string, Method>>;

const number = (value: unknown): number => (value === null ? NaN : Number(value));
const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Parts of `Intl` that the engine lacks, by constructor and method. Dates are passed as milliseconds. */
const MAKERS: Readonly<Record<string, Maker>> = {
  DateTimeFormat: (locales, options) => {
    const format = new Intl.DateTimeFormat(locales, options);
    return {
      format: ([date]) => format.format(number(date)),
      formatToParts: ([date]) => format.formatToParts(number(date)),
      formatRange: ([from, to]) => format.formatRange(number(from), number(to)),
      resolvedOptions: () => format.resolvedOptions(),
    };
  },
  NumberFormat: (locales, options) => {
    const format = new Intl.NumberFormat(locales, options);
    const read = (value: unknown): number | bigint =>
      typeof value === 'string' && /^-?\d{16,400}$/.test(value) ? BigInt(value) : number(value);
    return {
      format: ([value]) => format.format(read(value)),
      formatToParts: ([value]) => format.formatToParts(read(value)),
      resolvedOptions: () => format.resolvedOptions(),
    };
  },
  Collator: (locales, options) => {
    const collator = new Intl.Collator(locales, options);
    return {
      compare: ([a, b]) => collator.compare(String(a), String(b)),
      resolvedOptions: () => collator.resolvedOptions(),
    };
  },
  PluralRules: (locales, options) => {
    const rules = new Intl.PluralRules(locales, options);
    return { select: ([value]) => rules.select(number(value)), resolvedOptions: () => rules.resolvedOptions() };
  },
  RelativeTimeFormat: (locales, options) => {
    const format = new Intl.RelativeTimeFormat(locales, options);
    const unit = (value: unknown): Intl.RelativeTimeFormatUnit => readUnit(value);
    return {
      format: ([value, name]) => format.format(number(value), unit(name)),
      formatToParts: ([value, name]) => format.formatToParts(number(value), unit(name)),
      resolvedOptions: () => format.resolvedOptions(),
    };
  },
  ListFormat: (locales, options) => {
    const format = new Intl.ListFormat(locales, options);
    return {
      format: ([list]) => format.format(strings(list)),
      formatToParts: ([list]) => format.formatToParts(strings(list)),
      resolvedOptions: () => format.resolvedOptions(),
    };
  },
};

const UNITS = [
  'year',
  'years',
  'quarter',
  'quarters',
  'month',
  'months',
  'week',
  'weeks',
  'day',
  'days',
  'hour',
  'hours',
  'minute',
  'minutes',
  'second',
  'seconds',
] as const;

function readUnit(value: unknown): Intl.RelativeTimeFormatUnit {
  const unit = UNITS.find((one) => one === value);
  if (unit === undefined) throw new RangeError(`Invalid unit argument for format() '${String(value)}'`);
  return unit;
}

/** `Intl` for one run. */
export class IntlCalls {
  readonly #formatters = new Map<string, Readonly<Record<string, Method>>>();
  readonly #zones = new Map<string, Intl.DateTimeFormat>();

  /**
   * `{ type, locales?, options?, method, values }`: makes a formatter, or takes the one made before, and calls it.
   * @throws RangeError and TypeError as `Intl` does
   */
  call(argument: unknown): unknown {
    const { type, locales, options, method, values } = recordOf(argument);
    const formatter = this.#formatter(textOf(type), locales, options);
    const called = Object.hasOwn(formatter, textOf(method)) ? formatter[textOf(method)] : undefined;
    if (called === undefined) throw new TypeError(`Intl.${String(type)} has no ${String(method)} here`);
    return called(Array.isArray(values) ? values : []);
  }

  /**
   * `{ zone, at }`: minutes by which the zone is ahead of UTC at that moment.
   * @throws RangeError for an unknown zone
   */
  zoneOffset(argument: unknown): number {
    const { zone, at } = recordOf(argument);
    const name = textOf(zone);
    const format =
      this.#zones.get(name) ??
      new Intl.DateTimeFormat('en-US', {
        timeZone: name,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      });
    if (this.#zones.size < MAX_FORMATTERS) this.#zones.set(name, format);
    const seconds = Math.floor(number(at) / 1_000) * 1_000;
    return (asUtc(format.formatToParts(seconds)) - seconds) / 60_000;
  }

  #formatter(type: string, locales: unknown, options: unknown): Readonly<Record<string, Method>> {
    const key = JSON.stringify([type, locales, options]);
    const known = this.#formatters.get(key);
    if (known !== undefined) return known;
    const make = Object.hasOwn(MAKERS, type) ? MAKERS[type] : undefined;
    if (make === undefined) throw new TypeError(`Intl.${type} is not available in code`);
    const made = make(localesOf(locales), options === undefined || options === null ? {} : recordOf(options));
    if (this.#formatters.size < MAX_FORMATTERS) this.#formatters.set(key, made);
    return made;
  }
}

function asUtc(parts: readonly Intl.DateTimeFormatPart[]): number {
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const year = parts.some((part) => part.type === 'era' && part.value.startsWith('B'))
    ? 1 - read('year')
    : read('year');
  const date = new Date(0);
  date.setUTCFullYear(year, read('month') - 1, read('day'));
  date.setUTCHours(read('hour'), read('minute'), read('second'));
  return date.getTime();
}

const PLAIN_CHARACTERS = [
  ...Array.from({ length: 5 }, (_, index) => index + 9),
  ...Array.from({ length: 95 }, (_, index) => index + 32),
].map((code) => String.fromCharCode(code));

/** The characters of ASCII that are not ignored, in the order of people. */
export function collationOrder(): string {
  return [...PLAIN_CHARACTERS].sort(new Intl.Collator().compare).join('');
}

/**
 * `{ method, at, locales?, options? }`: a date written by one of its methods for that.
 * @throws RangeError as they do
 */
export function dateText(argument: unknown): string {
  const { method, at, locales, options } = recordOf(argument);
  const date = new Date(number(at));
  const list = localesOf(locales);
  const chosen = options === undefined || options === null ? {} : recordOf(options);
  if (method === 'toLocaleDateString') return date.toLocaleDateString(list, chosen);
  return method === 'toLocaleTimeString' ? date.toLocaleTimeString(list, chosen) : date.toLocaleString(list, chosen);
}

function localesOf(locales: unknown): string | string[] | undefined {
  if (Array.isArray(locales)) return locales.map(String);
  return locales === undefined || locales === null ? undefined : String(locales);
}
