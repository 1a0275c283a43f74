import { DateTime, Duration, Interval } from 'luxon';
import { kindOf } from './kind-of';

/** Methods that values have in JavaScript and not here: they lead to prototypes, or take a function of the host. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  every: ['constructor', '__defineGetter__', '__defineSetter__', '__lookupGetter__', '__lookupSetter__', '__proto__'],
  duration: ['mapUnits'],
  interval: ['mapEndpoints'],
};

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'a',
  number: 1,
  boolean: true,
  array: [1],
  object: { a: 1 },
  date: new Date(0),
  map: new Map(),
  set: new Set(),
  moment: DateTime.fromMillis(0),
  duration: Duration.fromMillis(1),
  interval: Interval.after(DateTime.fromMillis(0), 1_000),
};

/** Names of the members of a value that are inherited. */
const inherited = (value: unknown): string[] => {
  const names: string[] = [];
  for (let proto: unknown = Object.getPrototypeOf(Object(value)); proto !== null; proto = Object.getPrototypeOf(proto))
    names.push(...Object.getOwnPropertyNames(proto));
  return names;
};

describe('a method that exists in JavaScript is never silently undefined', () => {
  it.each(Object.entries(SAMPLES))('of a value of type %s', (type, value) => {
    const { methods, field } = kindOf(value);
    const missing = inherited(value)
      .filter((name) => !methods.has(name))
      .filter((name) => typeof value !== 'object' || value === null || field(value, name) === undefined)
      .filter((name) => !['every', type].some((key) => WITHOUT[key]?.includes(name)) && name !== 'length');
    // Fields of luxon that are undefined for this value count as present.
    expect(missing.filter((name) => typeof Reflect.get(Object(value), name) === 'function')).toEqual([]);
  });
});
