import { LIMITS } from '../limits';
import { COSTS } from '../methods/costs';
import { INTL_STEPS, intlOptions, localesOf } from '../methods/intl-options';
import { callHost, luxonResult } from '../methods/luxon/luxon-call';
import { isDateTime } from '../methods/type-tests';
import { toNumber, toText } from '../runtime/convert';
import { NativeConstructor, NativeFunction } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { iterate } from '../runtime/iterate';
import { IteratorValue } from '../runtime/values/iterator-value';
import { countMarks } from '../runtime/marks';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { Namespace } from '../runtime/values/virtual-object';

/** Reads the arguments of a method as the host's method may have them. */
type Read = (run: Run, args: Arguments) => unknown[];

interface Formatter {
  readonly make: (locales: string | string[], options: ReturnType<typeof intlOptions>) => object;
  /** The methods that expressions may call, by the reading of their arguments. */
  readonly methods: Readonly<Record<string, Read>>;
  /** True if it also works without `new`. */
  readonly isCallable?: true;
}

const nothing: Read = () => [];
const number: Read = (run, [value]) => [toNumber(run, value)];
const numbers: Read = (run, [from, to]) => [toNumber(run, from), toNumber(run, to)];
const date: Read = (run, [value]) => [millis(run, value)];
const dates: Read = (run, [from, to]) => [millis(run, from), millis(run, to)];
const amountAndUnit: Read = (run, [value, unit]) => [toNumber(run, value), short(run, unit)];
const code: Read = (run, [value]) => [short(run, value)];

const twoTexts: Read = (run, [one, other]) => {
  const texts = [toText(run, one), toText(run, other)];
  for (const text of texts) {
    run.read(text.length, COSTS.String.localeCompare);
    countMarks(run, text);
  }
  return texts;
};

/** A list of strings whose joined length is allowed: the same long string may be in it many times. */
const listOfTexts: Read = (run, [list]) => {
  const texts = iterate(run, list ?? []);
  run.allowEntries(texts.length);
  let length = 0;
  for (const text of texts) {
    if (typeof text !== 'string') throw typeError('Iterable yielded a value that is not a string');
    length += text.length + MAX_SEPARATOR;
    run.allowText(length, text.length);
  }
  return [[...texts]];
};

/** Characters that a language puts between two entries of a list. */
const MAX_SEPARATOR = 20;

function millis(run: Run, value: unknown): number {
  if (value === undefined) return run.scope.now().toMillis();
  if (isDateTime(value)) return value.toMillis();
  return value instanceof Date ? value.getTime() : toNumber(run, value);
}

function short(run: Run, value: unknown): string {
  return toText(run, value).slice(0, LIMITS.dateTextLength);
}

const NAME_TYPES = ['region', 'language', 'script', 'currency', 'calendar', 'dateTimeField'] as const;

const FORMATTERS: Readonly<Record<string, Formatter>> = {
  Collator: {
    make: (locales, options) => new Intl.Collator(locales, options),
    methods: { compare: twoTexts, resolvedOptions: nothing },
    isCallable: true,
  },
  DateTimeFormat: {
    make: (locales, options) => new Intl.DateTimeFormat(locales, options),
    methods: {
      format: date,
      formatRange: dates,
      formatRangeToParts: dates,
      formatToParts: date,
      resolvedOptions: nothing,
    },
    isCallable: true,
  },
  DisplayNames: {
    make: (locales, options) => {
      const type = NAME_TYPES.find((name) => name === options?.['type']);
      if (type === undefined) throw typeError('Required option "type" must not be undefined');
      return new Intl.DisplayNames(locales, { ...options, type });
    },
    methods: { of: code, resolvedOptions: nothing },
  },
  ListFormat: {
    make: (locales, options) => new Intl.ListFormat(locales, options),
    methods: { format: listOfTexts, formatToParts: listOfTexts, resolvedOptions: nothing },
  },
  NumberFormat: {
    make: (locales, options) => new Intl.NumberFormat(locales, options),
    methods: {
      format: number,
      formatRange: numbers,
      formatRangeToParts: numbers,
      formatToParts: number,
      resolvedOptions: nothing,
    },
    isCallable: true,
  },
  PluralRules: {
    make: (locales, options) => new Intl.PluralRules(locales, options),
    methods: { resolvedOptions: nothing, select: number, selectRange: numbers },
  },
  RelativeTimeFormat: {
    make: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
    methods: { format: amountAndUnit, formatToParts: amountAndUnit, resolvedOptions: nothing },
  },
};

/** A formatter for expressions: its methods, without access to the host's object. */
class FormatterValue extends Namespace {
  constructor(
    readonly kind: string,
    members: Readonly<Record<string, unknown>>,
  ) {
    super(members);
  }
}

/** A method of the host's formatter; it needs no `this`, so that it can be given to `map` and `sort`. */
function methodOf(host: object, name: string, read: Read): NativeFunction {
  return new NativeFunction(name, 1, (run, _self, args) => {
    const given = read(run, args);
    const result = callHost((): unknown => {
      const method: unknown = Reflect.get(host, name);
      return typeof method === 'function' ? Reflect.apply(method, host, given) : undefined;
    });
    if (typeof result === 'string') run.allowText(result.length);
    return luxonResult(run, result);
  });
}

function constructorOf(kind: string, { make, methods, isCallable }: Formatter): NativeConstructor {
  const construct = (run: Run, [locales, options]: Arguments): FormatterValue => {
    run.work(INTL_STEPS);
    const names = localesOf(locales);
    const zone = kind === 'DateTimeFormat' ? { timeZone: run.scope.timezone } : {};
    const chosen = { ...zone, ...intlOptions(run, options) };
    const host = callHost(() => make(names, chosen));
    const members = Object.entries(methods).map(([name, read]) => [name, methodOf(host, name, read)]);
    return new FormatterValue(kind, Object.fromEntries(members));
  };
  return new NativeConstructor(kind, 0, {
    construct,
    call: (run, args) => {
      if (isCallable !== true) throw typeError(`Constructor Intl.${kind} requires 'new'`);
      return construct(run, args);
    },
    isInstance: (value) => value instanceof FormatterValue && value.kind === kind,
  });
}

/** `Intl.Segmenter`: its segments are an iterator of objects. */
const segmenter = new NativeConstructor('Segmenter', 0, {
  construct: (run, [locales, options]) => {
    run.work(INTL_STEPS);
    const names = localesOf(locales);
    const host = callHost(() => new Intl.Segmenter(names, intlOptions(run, options)));
    const segment = new NativeFunction('segment', 1, (inner, _self, [value]) => {
      const text = toText(inner, value);
      inner.allowEntries(text.length);
      return new IteratorValue(Array.from(host.segment(text), (one) => inner.made({ ...one })));
    });
    return new FormatterValue('Segmenter', { resolvedOptions: methodOf(host, 'resolvedOptions', nothing), segment });
  },
  call: () => {
    throw typeError("Constructor Intl.Segmenter requires 'new'");
  },
  isInstance: (value) => value instanceof FormatterValue && value.kind === 'Segmenter',
});

/** `Intl`: formatters for a language, with methods that read their arguments first. */
export const intlNamespace = new Namespace({
  ...Object.fromEntries(Object.entries(FORMATTERS).map(([kind, formatter]) => [kind, constructorOf(kind, formatter)])),
  Segmenter: segmenter,
});
