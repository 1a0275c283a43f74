import { ExpressionError } from '../errors';
import { globalNames } from '../globals/globals';
import { methodNames } from '../methods/kind-of';
import { bodyValue } from './fixed-scope';
import { worstStrings } from './worst-strings';

/**
 * An expression that calls one method or global function on worst strings: `t`; `u`, which differs at its end; and `h`,
 * the first half.
 */
export interface Call {
  readonly name: string;
  readonly body: string;
}

/** Receivers of each kind of value, as expressions. */
const RECEIVERS: Readonly<Record<string, readonly string[]>> = {
  string: ['$json.t'],
  number: ['5'],
  boolean: ['true'],
  array: ['[$json.t, $json.u, $json.h]', 'Array.from({ length: 20 }, (_, n) => $json.t.slice(0, -2) + n)'],
  object: ['({ a: $json.t, b: $json.u, c: [$json.t] })'],
  date: ['new Date(0)'],
  dateTime: ['$now'],
  duration: ['Duration.fromMillis(5)'],
  interval: ['Interval.fromDateTimes($now, $now)'],
  regex: ['/(a+|\\s*)b/g', '/x/y'],
  map: ['new Map([[$json.t, 1], [$json.u, 2]])'],
  set: ['new Set([$json.t, $json.u])'],
  iterator: ['[$json.t].values()'],
  error: ['new Error($json.t)'],
  function: ['((a) => a)'],
  absent: [],
  opaque: [],
};
/** Keys that V8 tells apart by comparing them. */
const LONG_KEYS = 'new Set(Array.from({ length: 500 }, (_, n) => $json.t.slice(0, 20000) + n))';
const ARGUMENTS = ['', '$json.t', '(a) => a'];
const ARGUMENTS_OF_STRINGS = [
  ...ARGUMENTS,
  '$json.u',
  '$json.h',
  '"a", $json.t',
  '/a+b/g, $json.t',
  '/(?<n>a)/, $json.t',
];

/** Calls of every method of every kind of value, and of every global function. */
export function allCalls(): Call[] {
  const methods = Object.entries(methodNames()).flatMap(([kind, names]) =>
    (RECEIVERS[kind] ?? []).flatMap((receiver) =>
      names.flatMap((name) =>
        (kind === 'string' ? ARGUMENTS_OF_STRINGS : ARGUMENTS).map((args) => ({
          name: `${kind}.${name}`,
          body: `(${receiver}).${name}(${args})`,
        })),
      ),
    ),
  );
  const functions = globalNames().flatMap(({ name, isConstructor }) =>
    ['$json.t', '$json.t, $json.u', '[$json.t, $json.u]'].flatMap((args) => [
      { name, body: `${name}(${args})` },
      ...(isConstructor ? [{ name: `new ${name}`, body: `new ${name}(${args})` }] : []),
    ]),
  );
  const formatters = [
    'new Intl.Collator().compare($json.t, $json.u)',
    'new Intl.ListFormat("en").format([$json.t, $json.u])',
    'new Intl.Segmenter("en").segment($json.t)',
    'new Intl.DisplayNames("en", { type: "region" }).of($json.t)',
    'new URL("https://" + $json.t + "/")',
    'new URL("https://a.b/" + $json.t)',
    'new URL("https://" + encodeURIComponent($json.t.slice(0, 5000)))',
    'new URLSearchParams($json.t).getAll("a")',
    '$jmespath($json, "sort([t, u])")',
    'Interval.fromDateTimes($now, $now.plus({ years: 9 })).splitBy({ hours: 1 })',
    'Interval.fromDateTimes($now, $now.plus({ years: 9 })).splitBy({ days: 1 })',
    'Interval.fromDateTimes($now, $now.plus({ years: 9 })).divideEqually(90000)',
    'new Set([$json.t, $json.u]).union(new Set([$json.u, $json.h]))',
    `${LONG_KEYS}.isSubsetOf(${LONG_KEYS})`,
    '$json.t + 1',
    '+$json.t',
    '$json.t == 1',
    '$json.t < $json.u',
    '`${[$json.t, $json.u]}`',
    '({ [$json.t]: 1 })[$json.u]',
  ].map((body) => ({ name: body.slice(0, 30), body }));
  return [...methods, ...functions, ...formatters];
}

/** Milliseconds of CPU that an evaluation takes, whatever its result. */
export function cpuOf({ body }: Call, text: string): number {
  const items = [{ t: text, u: `${text.slice(0, -1)}Z`, h: text.slice(0, text.length >> 1) }];
  const before = process.threadCpuUsage();
  try {
    bodyValue(body, { items });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** A call that took longer than it may. */
export interface Excess {
  readonly body: string;
  readonly text: string;
  readonly cpuMs: number;
}

/** The calls that take longer than `limitMs` on a worst string of this length, however often they are tried. */
export function excessesAt(length: number, limitMs: number, calls: readonly Call[]): Excess[] {
  const found: Excess[] = [];
  for (const [text, value] of Object.entries(worstStrings(length)))
    for (const call of calls) {
      let cpuMs = cpuOf(call, value);
      // Garbage collection is not the fault of the call.
      for (let tries = 0; cpuMs > limitMs && cpuMs < 5 * limitMs && tries < 3; tries += 1)
        cpuMs = Math.min(cpuMs, cpuOf(call, value));
      if (cpuMs > limitMs) found.push({ body: call.body, text, cpuMs: Math.round(cpuMs) });
    }
  return found;
}
