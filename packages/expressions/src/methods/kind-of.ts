import { FunctionValue } from '../runtime/values/function-value';
import { IteratorValue } from '../runtime/values/iterator-value';
import { isArray, isPlainObject } from '../runtime/kinds';
import { RegexValue } from '../regex/regex-value';
import { ErrorValue } from '../runtime/thrown';
import { arrayCallbackMethods } from './arrays/array-callbacks';
import { arrayMutatorMethods } from './arrays/array-mutators';
import { arrayReaderMethods } from './arrays/array-readers';
import { iteratorMethods, mapMethods, setMethods } from './collections';
import { dateNativeMethods } from './date-native';
import { errorMethods } from './object-native';
import { arrayExtensions } from './extensions/array';
import { booleanExtensions } from './extensions/generic';
import { dateExtensions } from './extensions/date';
import { genericExtensions } from './extensions/generic';
import { numberExtensions } from './extensions/number';
import { objectExtensions } from './extensions/object';
import { stringExtensions } from './extensions/string';
import { functionMethods } from './function';
import {
  dateTimeFields,
  dateTimeNativeMethods,
  durationFields,
  durationMethods,
  innerDateTimeField,
  intervalFields,
  intervalMethods,
} from './luxon/luxon';
import { mergeTables } from './method';
import type { MethodTable } from './method';
import { booleanNativeMethods, numberNativeMethods } from './number-native';
import { objectNativeMethods } from './object-native';
import { ownMemberMethods } from './own-members';
import { regexMethods } from './strings/regex';
import { stringHtmlMethods } from './strings/string-html';
import { stringNativeMethods } from './strings/string-native';
import { stringRegexMethods } from './strings/string-regex';
import { isDate, isDateTime, isDuration, isInterval } from './type-tests';

/** Members that values of one type have in addition to own fields. */
export interface Kind {
  /** All methods that can be called. */
  readonly methods: MethodTable;
  /** Those that JavaScript has: only they can be read without being called. */
  readonly native: MethodTable;
  /** A field that is not own data, such as `month` of a date; undefined if no such field exists. */
  readonly field: (self: object, key: string) => unknown;
}

const noField = (): undefined => undefined;
const hostField =
  (names: ReadonlySet<string>) =>
  (self: object, key: string): unknown =>
    names.has(key) ? Reflect.get(self, key) : undefined;

const NO_METHODS: MethodTable = new Map();

/** A type with the methods of JavaScript and those that expressions add, and with its fields. */
function kind(native: MethodTable, added: MethodTable = NO_METHODS, field: Kind['field'] = noField): Kind {
  const own = mergeTables(ownMemberMethods, native);
  return { methods: mergeTables(genericExtensions, own, added), native: own, field };
}

const KINDS = {
  string: kind(mergeTables(stringNativeMethods, stringRegexMethods, stringHtmlMethods), stringExtensions),
  number: kind(numberNativeMethods, numberExtensions),
  boolean: kind(booleanNativeMethods, booleanExtensions),
  array: kind(mergeTables(arrayReaderMethods, arrayCallbackMethods, arrayMutatorMethods), arrayExtensions),
  object: kind(objectNativeMethods, objectExtensions),
  date: kind(dateNativeMethods, dateExtensions),
  dateTime: kind(dateTimeNativeMethods, dateExtensions, dateTimeField),
  duration: kind(durationMethods, NO_METHODS, durationField),
  interval: kind(intervalMethods, NO_METHODS, intervalField),
  regex: kind(regexMethods, NO_METHODS, regexField),
  map: kind(mapMethods, NO_METHODS, hostField(new Set(['size']))),
  set: kind(setMethods, NO_METHODS, hostField(new Set(['size']))),
  iterator: kind(iteratorMethods),
  error: kind(errorMethods, NO_METHODS, hostField(new Set(['name', 'message', 'cause', 'description']))),
  function: kind(functionMethods, NO_METHODS, functionField),
  absent: { methods: genericExtensions, native: NO_METHODS, field: noField },
  opaque: kind(NO_METHODS),
} satisfies Record<string, Kind>;

/** The names of all methods, by the kind of value that has them. */
export function methodNames(): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(KINDS).map(([name, { methods }]) => [name, [...methods.keys()]]));
}

/** Fields of a moment, including internal fields of luxon that workflows read. */
function dateTimeField(self: object, key: string): unknown {
  if (dateTimeFields.has(key)) return Reflect.get(self, key);
  return isDateTime(self) ? innerDateTimeField(self, key) : undefined;
}

function durationField(self: object, key: string): unknown {
  if (durationFields.has(key)) return Reflect.get(self, key);
  if (!isDuration(self)) return undefined;
  return key === 'values' ? self.toObject() : key === 'isLuxonDuration' ? true : undefined;
}

function intervalField(self: object, key: string): unknown {
  if (intervalFields.has(key)) return Reflect.get(self, key);
  if (!isInterval(self)) return undefined;
  return key === 's' ? self.start : key === 'e' ? self.end : key === 'isLuxonInterval' ? true : undefined;
}

function regexField(self: object, key: string): unknown {
  if (!(self instanceof RegexValue)) return undefined;
  const flags: Readonly<Record<string, string>> = {
    global: 'g',
    ignoreCase: 'i',
    multiline: 'm',
    dotAll: 's',
    unicode: 'u',
    sticky: 'y',
  };
  const flag = Object.hasOwn(flags, key) ? flags[key] : undefined;
  if (flag !== undefined) return self.flags.includes(flag);
  return ['source', 'flags', 'lastIndex'].includes(key) ? Reflect.get(self, key) : undefined;
}

function functionField(self: object, key: string): unknown {
  if (!(self instanceof FunctionValue)) return undefined;
  return key === 'name' ? self.name : key === 'length' ? self.length : self.member(key);
}

/** The type of a value. Objects that are of no known type are opaque: they have no members at all. */
export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return KINDS.string;
    case 'number':
      return KINDS.number;
    case 'boolean':
      return KINDS.boolean;
    case 'object':
      return value === null ? KINDS.absent : kindOfObject(value);
    case 'undefined':
      return KINDS.absent;
    default:
      return KINDS.opaque;
  }
}

function kindOfObject(value: object): Kind {
  if (isArray(value)) return KINDS.array;
  if (isPlainObject(value)) return KINDS.object;
  if (value instanceof FunctionValue) return KINDS.function;
  if (isDateTime(value)) return KINDS.dateTime;
  if (isDate(value)) return KINDS.date;
  if (isDuration(value)) return KINDS.duration;
  if (isInterval(value)) return KINDS.interval;
  if (value instanceof RegexValue) return KINDS.regex;
  if (value instanceof Map) return KINDS.map;
  if (value instanceof Set) return KINDS.set;
  if (value instanceof ErrorValue) return KINDS.error;
  return value instanceof IteratorValue ? KINDS.iterator : KINDS.opaque;
}
